// Commands to a run: with a coordinator, and without one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';
import { HOLD, holds, letGo } from './holding.given.ts';
import { leftRunning, signal } from './processes.given.ts';
import type { Going, Line, Project } from './project.given.ts';

endProjectsAfterEach();

const TWO = `tasks:
  a: { run: "${HOLD}" }
  b: { needs: [a], run: "${HOLD}" }
`;

const endOf = (events: readonly Line[], name: string): string | undefined =>
  events.findLast(({ type, task }) => (type === 'task.ended' || type === 'task.skipped') && task === name)?.ending;
const starts = (events: readonly Line[], name: string): number =>
  events.filter(({ type, work, task }) => work === 'step' && type === 'claim.made' && task === name).length;

/** A run whose coordinator died during a step. */
async function givenOrphan(plan: string, task: string): Promise<Project> {
  const project = givenProject(plan);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, task);
  await kill(going);
  return project;
}

async function kill(going: Going): Promise<void> {
  signal(going.pid, 'SIGKILL');
  await going.ended;
}

test('pause lets running steps finish and starts nothing; resume from another terminal continues', async () => {
  const project = givenProject(TWO);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  const paused = await project.heddle('pause');
  expect(paused.code).toBe(0);
  expect(paused.out).toContain('paused');
  letGo(project, 'a', 'b');
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'a');
  expect(existsSync(project.file('b.here'))).toBe(false);
  expect((await project.heddle('resume', '--json')).code).toBe(0);
  expect((await going.ended).code).toBe(0);
  expect(starts(await project.events(), 'a')).toBe(1);
});

test('a pause without a coordinator holds when one starts', async () => {
  const project = await givenOrphan(TWO, 'a');
  const noted = await project.heddle('pause');
  expect(noted.out).toContain('heddle resume world-1');
  letGo(project, 'a', 'b');
  // Pause comes first and resume second, as they were said, so the run goes on.
  expect((await project.heddle('resume', '--json')).code).toBe(0);
  const types = (await project.events()).map(({ type }) => type);
  expect(types.indexOf('run.paused')).toBeGreaterThan(0);
  expect(types.indexOf('run.resumed')).toBeGreaterThan(types.indexOf('run.paused'));
});

test('stop ends running steps without counting the attempt, and resume runs them again', async () => {
  const project = givenProject(TWO);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  expect((await project.heddle('stop')).code).toBe(0);
  expect((await going.ended).code).toBe(3);
  expect(await leftRunning(project.folder)).toEqual([]);
  letGo(project, 'a', 'b');
  expect((await project.heddle('resume', '--json')).code).toBe(0);
  const events = await project.events();
  expect(starts(events, 'a')).toBe(2);
  expect(events.find(({ type, work }) => work === 'step' && type === 'claim.returned')).toMatchObject({
    counted: false,
  });
});

test('stop ends the steps that a dead coordinator left running', async () => {
  const project = await givenOrphan(TWO, 'a');
  expect((await project.heddle('stop')).code).toBe(3);
  expect(await leftRunning(project.folder)).toEqual([]);
  letGo(project, 'a', 'b');
  expect((await project.heddle('resume', '--json')).code).toBe(0);
});

test('cancel ends the run for good, with or without a coordinator, even a step that ignores SIGTERM', async () => {
  const stubborn = TWO.replace(HOLD, () => `trap '' TERM; ${HOLD}`);
  const project = givenProject(stubborn);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  expect((await project.heddle('cancel')).code).toBe(0);
  expect((await going.ended).code).toBe(1);
  expect(await leftRunning(project.folder)).toEqual([]);
  const events = await project.events();
  expect([endOf(events, 'a'), endOf(events, 'b')]).toEqual(['cancelled', 'cancelled']);
  const orphan = await givenOrphan(stubborn, 'a');
  expect((await orphan.heddle('cancel')).code).toBe(1);
  expect(await leftRunning(orphan.folder)).toEqual([]);
  expect((await orphan.events()).at(-1)?.type).toBe('run.ended');
});

const THREE = `tasks:
  a: { run: "${HOLD}" }
  b: { run: "${HOLD}" }
  c: { needs: [a], run: touch c.ran }
`;

test('one task is cancelled and the others go on', async () => {
  const project = givenProject(THREE);
  const going = project.start('run', 'plan.yaml', '--json');
  await Promise.all([holds(project, 'a'), holds(project, 'b')]);
  expect((await project.heddle('cancel', 'a')).out).toContain('a is cancelled');
  letGo(project, 'b');
  expect((await going.ended).code).toBe(1);
  const events = await project.events();
  expect([endOf(events, 'a'), endOf(events, 'b'), endOf(events, 'c')]).toEqual(['cancelled', 'done', 'cancelled']);
  expect(await leftRunning(project.folder)).toEqual([]);
});

test('one task is stopped and held while the others go on, until it is resumed', async () => {
  const project = givenProject(THREE);
  const going = project.start('run', 'plan.yaml', '--json');
  const [pid] = await Promise.all([holds(project, 'a'), holds(project, 'b')]);
  expect((await project.heddle('stop', 'a')).out).toContain('a is paused');
  await going.sees(({ type, work, task }) => work === 'step' && type === 'claim.returned' && task === 'a');
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  letGo(project, 'a', 'b');
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'b');
  expect((await project.heddle('resume', 'a', '--detach')).code).toBe(0);
  expect((await going.ended).code).toBe(0);
  expect(existsSync(project.file('c.ran'))).toBe(true);
});

test('a task is skipped, at once or when a coordinator starts, and satisfies the tasks that need it', async () => {
  const project = givenProject(THREE);
  const going = project.start('run', 'plan.yaml', '--json');
  await Promise.all([holds(project, 'a'), holds(project, 'b')]);
  expect((await project.heddle('skip', 'a')).code).toBe(0);
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'c');
  await kill(going);
  expect((await project.heddle('skip', 'b')).out).toContain('Noted.');
  expect((await project.heddle('resume', '--json')).code).toBe(0);
  const events = await project.events();
  expect([endOf(events, 'a'), endOf(events, 'b'), endOf(events, 'c')]).toEqual(['skipped', 'skipped', 'done']);
  expect(await leftRunning(project.folder)).toEqual([]);
});

test('retry runs again what failed and what that held up, and nothing that was done', async () => {
  const project = givenProject(`attempts: 1
tasks:
  good: { run: echo x >> good }
  bad: { run: test -e mended }
  next: { needs: [bad, good], run: touch next }
`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(1);
  expect((await project.heddle('retry', '--json')).code).toBe(1);
  writeFileSync(project.file('mended'), '');
  expect((await project.heddle('retry', '--json')).code).toBe(0);
  expect(readFileSync(project.file('good'), 'utf8')).toBe('x\n');
  expect(existsSync(project.file('next'))).toBe(true);
});

const GATE = `tasks:
  a: { run: echo a }
  ship: { needs: [a], gate: Ship it? }
  b: { needs: [ship], run: touch shipped }
`;

test('a gate waits for a person and exits with 3, and an answer moves the run on', async () => {
  const project = givenProject(GATE);
  const waiting = await project.heddle('run', 'plan.yaml', '--wait', '0', '--json');
  expect(waiting.code).toBe(3);
  expect(waiting.errors).toContain('It waits for an answer');
  expect((await project.heddle('approve', 'ship')).out).toContain('Noted.');
  expect((await project.heddle('resume', '--json')).code).toBe(0);
  expect(existsSync(project.file('shipped'))).toBe(true);
});

test('an answer comes to a coordinator that waits for it', async () => {
  const project = givenProject(GATE);
  const going = project.start('run', 'plan.yaml', '--wait', '10m', '--json');
  await going.sees(({ to, task }) => task === 'ship' && to === 'asking');
  expect((await project.heddle('approve')).out).toContain('ship is approved');
  expect((await going.ended).code).toBe(0);
  const rejected = givenProject(GATE);
  const other = rejected.start('run', 'plan.yaml', '--wait', '10m', '--json');
  await other.sees(({ to, task }) => task === 'ship' && to === 'asking');
  expect((await rejected.heddle('reject')).out).toContain('ship is rejected');
  expect((await other.ended).code).toBe(1);
  expect(existsSync(rejected.file('shipped'))).toBe(false);
});

test('a step that fails and asks is answered by its name, and a retry is an answer too', async () => {
  const project = givenProject(`attempts: 1
tasks:
  a: { steps: [{ id: one, run: "test -e mended", on_error: gate }, { id: two, run: touch two }] }
`);
  expect((await project.heddle('run', 'plan.yaml', '--wait', '0', '--json')).code).toBe(3);
  expect((await project.heddle('approve', 'a', '--step', 'two')).code).toBe(2);
  writeFileSync(project.file('mended'), '');
  expect((await project.heddle('retry', 'a', '--json')).code).toBe(0);
  expect(starts(await project.events(), 'a')).toBe(3);
  const rejected = givenProject('attempts: 1\ntasks: { a: { run: exit 1, on_error: gate } }');
  const going = rejected.start('run', 'plan.yaml', '--wait', '10m', '--json');
  await going.sees(({ type }) => type === 'claim.asked');
  expect((await rejected.heddle('reject', 'a', '--step', 'main')).out).toContain('rejected');
  expect((await going.ended).code).toBe(1);
});

test('one task is paused before it begins, while the others go on, until it is resumed', async () => {
  const project = givenProject(THREE);
  const going = project.start('run', 'plan.yaml', '--json');
  await Promise.all([holds(project, 'a'), holds(project, 'b')]);
  expect((await project.heddle('pause', 'c')).out).toContain('c is paused');
  letGo(project, 'a', 'b');
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'a');
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'b');
  expect(existsSync(project.file('c.ran'))).toBe(false);
  expect((await project.heddle('resume', 'c', '--json')).code).toBe(0);
  expect((await going.ended).code).toBe(0);
  expect(existsSync(project.file('c.ran'))).toBe(true);
});

test('a command about a task that is not there is refused, with and without a coordinator', async () => {
  const project = givenProject(TWO);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  const refused = { code: 2, out: '', errors: expect.stringContaining('There is no task aa in world-1') };
  expect(await project.heddle('cancel', 'aa')).toEqual(refused);
  expect(await project.heddle('retry', 'a', 'aa')).toEqual(refused);
  letGo(project, 'a', 'b');
  expect((await going.ended).code).toBe(0);
  for (const word of ['pause', 'stop', 'cancel', 'skip', 'approve', 'resume', 'retry'])
    expect(await project.heddle(word, 'aa')).toEqual(refused);
});

test('a command that a run which has ended has no use for is not noted for later', async () => {
  const project = givenProject('tasks:\n  a: { run: "true" }\n');
  expect((await project.heddle('run', 'plan.yaml')).code).toBe(0);
  for (const word of ['pause', 'stop', 'cancel'])
    expect(await project.heddle(word)).toEqual({ code: 0, out: 'The run has ended.\n', errors: '' });
  expect(await project.heddle('cancel', 'a')).toEqual({ code: 0, out: 'a has ended (done).\n', errors: '' });
  expect(await project.heddle('approve', 'a')).toMatchObject({ code: 2, errors: 'heddle: a asks nothing.\n' });
  expect(await project.heddle('skip')).toMatchObject({ code: 2, out: '' });
  expect(await project.heddle('pause', 'a', '--step', 'main')).toMatchObject({ code: 2, out: '' });
  expect(await project.heddle('resume', '--detach')).toMatchObject({ code: 0, out: '' });
  expect((await project.heddle('retry', 'a')).errors).toContain('only what failed or was cancelled runs again');
});

test('a follower of a run that waits for an answer leaves after its --wait', async () => {
  const project = givenProject('tasks:\n  a: { gate: Go? }\n');
  expect((await project.heddle('run', 'plan.yaml', '--detach')).code).toBe(0);
  const followed = await project.heddle('resume', '--wait', '0');
  expect(followed).toMatchObject({ code: 3, out: expect.stringContaining('heddle approve a') });
  expect((await project.heddle('approve', 'a')).out).toBe('a is approved.\n');
});

test('a command for tasks of a paused run without a coordinator does not wait for ever', async () => {
  const project = givenProject(`attempts: 1
tasks:
  a: { run: "test -e mended" }
  b: { run: "${HOLD}" }
`);
  const going = project.start('run', 'plan.yaml', '--json');
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'a');
  await holds(project, 'b');
  await project.heddle('stop');
  expect((await going.ended).code).toBe(3);
  const resumed = await project.heddle('resume', 'b');
  expect(resumed).toMatchObject({ code: 2, errors: expect.stringContaining('the run is paused; resume the run') });
  expect(await project.heddle('retry')).toMatchObject({ code: 3, out: expect.stringContaining('a runs again.') });
  writeFileSync(project.file('mended'), '');
  letGo(project, 'b');
  expect((await project.heddle('resume', '--json')).code).toBe(0);
});
