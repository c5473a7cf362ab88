// Another plan for a run: while its coordinator is up, paused, dead, or when the run has long ended.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';
import { HOLD, holds, letGo } from '../world/holding.given.ts';
import { processesOf, signal } from '../world/processes.given.ts';
import type { Line, Project } from '../world/project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

const HEAD = 'heddle: 1\nname: world\nsandbox: { tree: none }\nattempts: 1\n';
const TWO = `tasks:
  a: { run: "${HOLD}" }
  b: { needs: [a], run: echo b >> b.txt }
`;
/** b is another task, c is one more, and a is as it was. */
const CHANGED = `tasks:
  a: { run: "${HOLD}" }
  b: { needs: [a], run: echo other >> b.txt }
  c: { needs: [a], run: echo c >> c.txt }
`;

const change = (project: Project, plan: string): void => writeFileSync(project.file('plan.yaml'), `${HEAD}${plan}`);

const isRunning = ({ folder }: Project, pid: number): boolean => processesOf(folder).some((found) => found.pid === pid);

const claims = (events: readonly Line[], name: string): number =>
  events.filter(({ type, work, task }) => work === 'step' && type === 'claim.made' && task === name).length;

const typesOf = (events: readonly Line[]): readonly string[] => events.map(({ type }) => type);

describe('while somebody carries the run out', () => {
  test('a running task that is kept continues in the same process, and added tasks follow it', async () => {
    const project = givenProject(`${HEAD}${TWO}`);
    const going = project.start('run', '--json');
    const worker = await holds(project, 'a');
    change(project, CHANGED);
    const { code, out } = await project.heddle('amend', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('The plan is amended: c is added.')]);
    await going.sees(({ type }) => type === 'plan.amended');
    expect(isRunning(project, worker)).toBe(true);
    letGo(project, 'a');
    expect((await going.ended).code).toBe(0);
    const events = await project.events();
    expect(claims(events, 'a')).toBe(1);
    expect(events.filter(({ type }) => type === 'task.ended').map(({ task, ending }) => [task, ending])).toEqual(
      expect.arrayContaining([
        ['a', 'done'],
        ['b', 'done'],
        ['c', 'done'],
      ]),
    );
    expect(existsSync(project.file('c.txt'))).toBe(true);
  });

  test('a changed task is ended and restarts, and a removed task is ended', async () => {
    const project = givenProject(`${HEAD}tasks:
  a: { run: "${HOLD}" }
  gone: { run: "${HOLD}" }
`);
    const going = project.start('run', '--json');
    const [old, gone] = [await holds(project, 'a'), await holds(project, 'gone')];
    change(project, 'tasks:\n  a: { run: echo anew > a.txt }\n');
    const { code, out } = await project.heddle('amend', 'world-1', 'plan.yaml', '-y');
    expect(code).toBe(0);
    expect(out).toContain('restart  a     its command changed; its work is stopped');
    expect(out).toContain('cancel   gone  gone from the plan; its work is stopped');
    expect((await going.ended).code).toBe(0);
    expect([isRunning(project, old), isRunning(project, gone)]).toEqual([false, false]);
    const events = await project.events();
    expect(claims(events, 'a')).toBe(2);
    expect(typesOf(events).filter((type) => type.includes('amend'))).toEqual(['plan.amending', 'plan.amended']);
    expect((await project.heddle('status')).out).not.toContain('gone');
  });

  test('a changed plan may speak of what the one before did not know', async () => {
    const project = givenProject(`${HEAD}${TWO}`, { FLAG: 'on' });
    const going = project.start('run', '--json');
    await holds(project, 'a');
    change(project, `env: [FLAG]\n${TWO}  c: { when: env.FLAG == "on", run: "echo {{ env.FLAG }} > c.txt" }\n`);
    expect((await project.heddle('amend', '--yes')).code).toBe(0);
    await going.sees(({ type, task }) => type === 'task.ended' && task === 'c');
    letGo(project, 'a');
    expect((await going.ended).code).toBe(0);
    expect(readFileSync(project.file('c.txt'), 'utf8')).toBe('on\n');
  });

  test('an interruption after the plan was amended still stops running steps', async () => {
    const project = givenProject(`${HEAD}${TWO}`);
    const going = project.start('run', '--json');
    const worker = await holds(project, 'a');
    change(project, CHANGED);
    expect((await project.heddle('amend', '--yes')).code).toBe(0);
    await going.sees(({ type }) => type === 'plan.amended');
    signal(going.pid, 'SIGINT');
    expect((await going.ended).code).toBe(130);
    expect(isRunning(project, worker)).toBe(false);
    letGo(project, 'a');
    expect((await project.heddle('resume', '--json')).code).toBe(0);
    expect(existsSync(project.file('c.txt'))).toBe(true);
  });

  test('to edit the file alone changes nothing, and a dry run only shows', async () => {
    const project = givenProject(`${HEAD}${TWO}`);
    const going = project.start('run', '--json');
    await holds(project, 'a');
    change(project, CHANGED);
    const { code, out } = await project.heddle('amend', '--dry-run');
    expect(code).toBe(0);
    expect(out).toContain('keep 2, restart 0, add 1, cancel 0');
    letGo(project, 'a');
    expect((await going.ended).code).toBe(0);
    expect(existsSync(project.file('c.txt'))).toBe(false);
    expect(typesOf(await project.events())).not.toContain('plan.amended');
  });
});

describe('without a coordinator', () => {
  test('a stopped run is amended at once and continues with the changed plan when it is resumed', async () => {
    const project = givenProject(`${HEAD}${TWO}`);
    const going = project.start('run', '--json');
    await holds(project, 'a');
    expect((await project.heddle('stop')).code).toBe(0);
    expect((await going.ended).code).toBe(3);
    change(project, CHANGED);
    const amended = await project.heddle('amend', '--yes');
    expect([amended.code, amended.out]).toEqual([0, expect.stringContaining('heddle resume world-1 goes on')]);
    expect(typesOf(await project.events())).toContain('plan.amended');
    letGo(project, 'a');
    expect((await project.heddle('resume', '--json')).code).toBe(0);
    expect(existsSync(project.file('c.txt'))).toBe(true);
  });

  test('a run whose coordinator died is taken up with the changed plan, and its worker with it', async () => {
    const project = givenProject(`${HEAD}${TWO}`);
    const going = project.start('run', '--json');
    const worker = await holds(project, 'a');
    signal(going.pid, 'SIGKILL');
    await going.ended;
    change(project, CHANGED);
    const amending = project.start('amend', '--yes');
    const isAmended = async (): Promise<void> => expect(typesOf(await project.events())).toContain('plan.amended');
    await vi.waitFor(isAmended, { timeout: PATIENCE_MS });
    expect(isRunning(project, worker)).toBe(true);
    letGo(project, 'a');
    expect((await amending.ended).code).toBe(0);
    expect(claims(await project.events(), 'a')).toBe(1);
    expect(existsSync(project.file('c.txt'))).toBe(true);
  });

  test('an amendment that was accepted is made by the next coordinator when the first one dies over it', async () => {
    const project = givenProject(`${HEAD}tasks:\n  a: { run: "trap '' TERM; ${HOLD}" }\n`);
    const going = project.start('run', '--json');
    await holds(project, 'a');
    change(project, 'tasks:\n  a: { run: echo anew > a.txt }\n');
    await project.heddle('amend', '--yes');
    await going.sees(({ type }) => type === 'plan.amending');
    signal(going.pid, 'SIGKILL');
    await going.ended;
    expect(typesOf(await project.events())).not.toContain('plan.amended');
    letGo(project, 'a');
    expect((await project.heddle('resume', '--json')).code).toBe(0);
    const events = await project.events();
    expect(typesOf(events)).toContain('plan.amended');
    expect(claims(events, 'a')).toBe(2);
    expect(existsSync(project.file('a.txt'))).toBe(true);
  });

  test('a failed run continues with the corrected tasks, and a finished one can be given more tasks', async () => {
    const project = givenProject(`${HEAD}tasks:
  a: { run: echo a >> a.txt }
  bad: { needs: [a], run: exit 1 }
  after: { needs: [bad], run: echo after >> after.txt }
`);
    expect((await project.heddle('run')).code).toBe(1);
    const right =
      '  a: { run: echo a >> a.txt }\n  bad: { needs: [a], run: echo good >> good.txt }\n  after: { needs: [bad], run: echo after >> after.txt }\n';
    change(project, `tasks:\n${right}`);
    expect((await project.heddle('amend', '--yes')).code).toBe(0);
    change(project, `tasks:\n${right}  more: { needs: [after], run: echo more >> more.txt }\n`);
    expect((await project.heddle('amend', '--yes')).code).toBe(0);
    const events = await project.events();
    expect([claims(events, 'a'), claims(events, 'bad'), claims(events, 'more')]).toEqual([1, 2, 1]);
    const again = await project.heddle('amend', '--yes');
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('follows this plan already')]);
  });
});

describe('for programs', () => {
  test('an amendment that carries the run on is one object too, and so is one that goes to the background', async () => {
    const project = givenProject(`${HEAD}tasks:\n  a: { run: exit 1 }\n  b: { run: "true" }\n`);
    expect((await project.heddle('run')).code).toBe(1);
    change(project, 'tasks:\n  a: { run: exit 1 }\n  b: { run: "true" }\n  c: { run: "true" }\n');
    const told = await project.heddle('amend', '--yes', '--json');
    expect([told.code, JSON.parse(told.out)]).toMatchObject([
      1,
      {
        run: 'world-1',
        isDone: true,
        reply: { notes: [{ code: 'plan.amended', added: ['c'] }] },
        answer: 'The plan is amended: c is added.',
        stillFailed: ['a'],
      },
    ]);
    change(project, 'tasks:\n  a: { run: "true" }\n  b: { run: "true" }\n  c: { run: "true" }\n');
    const behind = await project.heddle('amend', '--yes', '--json', '--detach');
    expect(behind.code).toBe(0);
    expect(JSON.parse(behind.out)).toMatchObject({ isDone: true, answer: 'The plan is amended: a begins anew.' });
    expect((await project.heddle('watch')).code).toBe(0);
  });
});

describe('refusals', () => {
  test('work that is done is not orphaned, in words and for programs', async () => {
    const project = givenProject(`${HEAD}tasks:\n  a: { run: echo a }\n  b: { needs: [a], run: echo b }\n`);
    expect((await project.heddle('run')).code).toBe(0);
    change(project, 'tasks:\n  a: { run: echo other }\n  b: { needs: [a], run: echo b }\n');
    const { code, out } = await project.heddle('amend', '--yes');
    expect(code).toBe(2);
    expect(out).toContain('refused: a is done, and its command changed: that would orphan its work.');
    const told = await project.heddle('amend', '--yes', '--json');
    expect(told.code).toBe(2);
    expect(JSON.parse(told.out)).toMatchObject({
      run: 'world-1',
      isDone: false,
      refused: [{ code: 'amend.done.redefined', task: 'a', parts: ['command'] }],
      tasks: [
        {
          task: 'a',
          does: 'restart',
          because: { type: 'redefined', parts: ['command'] },
          standing: { ending: 'done' },
        },
        { task: 'b', does: 'restart' },
      ],
    });
    expect(typesOf(await project.events())).not.toContain('plan.amended');
  });

  test('a wrong plan, one that asks for more than there is, and a call that means nothing', async () => {
    const project = givenProject(`${HEAD}tasks:\n  a: { run: exit 1 }\n`);
    expect((await project.heddle('run')).code).toBe(1);
    change(project, 'tasks:\n  a: { run: x, needs: [nobody] }\n');
    const wrong = await project.heddle('amend', '--yes');
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('nobody')]);
    change(project, 'base: other\ntasks:\n  a: { run: x }\n');
    expect((await project.heddle('amend', '--yes')).out).toContain('takes another run');
    change(project, 'tasks:\n  a: { run: echo }\n');
    const unasked = await project.heddle('amend');
    expect([unasked.code, unasked.errors]).toEqual([2, expect.stringContaining('add --yes')]);
    const many = await project.heddle('amend', 'world-1', 'plan.yaml', 'more');
    expect([many.code, many.errors]).toEqual([2, expect.stringContaining('one word too many')]);
    expect((await project.heddle('amend', 'world-9', 'plan.yaml')).errors).toContain('There is no run world-9');
    expect((await project.heddle('amend', '--help')).out).toContain('heddle amend plan.yaml');
  });
});

describe('a run that has grown', () => {
  test('keeps the tasks that it has grown when its plan is amended, and goes on with them', async () => {
    const grow = 'tasks:\n  m: { grow: { max_tasks: 3, run: cat fragment.yaml } }\n';
    const project = givenProject(`${HEAD}${grow}`);
    writeFileSync(project.file('fragment.yaml'), `tasks: { a: { run: "${HOLD}" } }\n`);
    const going = project.start('run', '--json');
    await holds(project, 'm.a');
    change(project, `${grow}  after: { needs: [m], run: echo after > after.txt }\n`);
    const { code, out } = await project.heddle('amend', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('The plan is amended: after is added.')]);
    letGo(project, 'm.a');
    expect((await going.ended).code).toBe(0);
    const events = await project.events();
    expect(claims(events, 'm.a')).toBe(1);
    expect(typesOf(events).filter((type) => type === 'plan.grown')).toHaveLength(1);
    expect(existsSync(project.file('after.txt'))).toBe(true);
  });
});
