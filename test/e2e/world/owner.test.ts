// One run has one coordinator.
import { existsSync, readFileSync } from 'node:fs';
import { assert, expect, test } from 'vitest';
import { readEvents } from '../../../src/app/read/read-events.ts';
import { followRun } from '../../../src/app/run/follow.ts';
import { openProjectStore } from '../../../src/app/local-parts.ts';
import { ROOT } from '../heddle.given.ts';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';
import { HOLD, holds, letGo } from './holding.given.ts';
import { leftRunning, signal } from './processes.given.ts';
import { until } from './project.given.ts';

endProjectsAfterEach();

const PLAN = `tasks:
  a: { run: "${HOLD}" }
  b: { needs: [a], run: echo b >> ran }
`;

const NOBODY = { onStart: () => undefined, onEvents: () => undefined, onNote: () => undefined };

test('a second coordinator is refused in a sentence that names the first', async () => {
  const project = givenProject(PLAN);
  const first = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  // What a person would call is resume, and that follows the first; this is what it is kept from.
  const second = await project.heddle('coordinate', 'world-1');
  expect(second.code).toBe(2);
  expect(second.errors).toContain(`Process ${first.pid} on`);
  letGo(project, 'a');
  expect((await first.ended).code).toBe(0);
});

test('resume follows a coordinator that is up, to its end', async () => {
  const project = givenProject(PLAN);
  const first = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  const second = project.start('resume', '--json');
  letGo(project, 'a');
  expect((await first.ended).code).toBe(0);
  expect((await second.ended).code).toBe(0);
  expect(readFileSync(project.file('ran'), 'utf8')).toBe('b\n');
});

test('resume takes over the run when the coordinator that it follows dies', async () => {
  const project = givenProject(PLAN);
  const first = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  const second = project.start('resume', '--json');
  await until(() => second.errors() !== '');
  signal(first.pid, 'SIGKILL');
  await first.ended;
  letGo(project, 'a');
  expect((await second.ended).code, second.errors()).toBe(0);
  expect(second.errors()).toContain('The process that was running world-1 has died; this one goes on with it.');
  expect(readFileSync(project.file('ran'), 'utf8')).toBe('b\n');
});

async function lastTypeOf(events: ReturnType<typeof readEvents>): Promise<string | undefined> {
  let last: string | undefined;
  for await (const { event } of events) last = event.type;
  return last;
}

test('a follower of a run that has ended, or of its events, stays until the coordinator has released it', async () => {
  const project = givenProject('tasks: { a: { run: echo a } }');
  expect((await project.heddle('run', 'plan.yaml')).code).toBe(0);
  const place = { root: project.folder, home: project.home };
  const opened = openProjectStore(place, 'write');
  assert(opened.type === 'opened');
  const { store } = opened;
  const record = store.find('world-1');
  const owned = store.own('world-1', { takesOver: false });
  assert(record !== undefined && owned.type === 'owned');
  let looks = 0;
  let isOver = false;
  const ownerOf = (run: string): ReturnType<typeof store.ownerOf> => {
    looks += 1;
    return store.ownerOf(run);
  };
  const followed = followRun({
    project: place,
    store: { ...store, ownerOf },
    record,
    observer: NOBODY,
    waitMs: Infinity,
  });
  const read = lastTypeOf(readEvents({ project: place, store: { ...store, ownerOf } }, record, { follows: true }));
  void Promise.race([followed, read]).then(() => (isOver = true));
  await until(() => looks > 6 || isOver);
  expect(isOver).toBe(false);
  owned.release();
  expect((await followed).over.type).toBe('ended');
  expect(await read).toBe('run.ended');
  store.close();
});

test('a coordinator that answers keeps its run against a take-over', async () => {
  const project = givenProject(PLAN);
  const first = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  const refused = await project.heddle('resume', '--take-over', '--json');
  expect(refused.code).toBe(2);
  expect(refused.errors).toContain(`Process ${first.pid} on`);
  expect(refused.errors).toContain('is running world-1 and answers, so the run is not taken from it');
  letGo(project, 'a');
  expect((await first.ended).code).toBe(0);
});

test('a coordinator that sleeps is taken over, and can write nothing when it wakes', async () => {
  const project = givenProject(PLAN);
  const stale = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  signal(stale.pid, 'SIGSTOP');
  const next = project.start('resume', '--take-over', '--json');
  letGo(project, 'a');
  expect((await next.ended).code).toBe(0);
  expect(next.errors()).toContain(`Waiting to see whether process ${stale.pid} on`);
  const events = await project.events();
  signal(stale.pid, 'SIGCONT');
  expect((await stale.ended).code).toBe(3);
  expect(stale.errors()).toContain('has taken the run world-1 over');
  expect(await project.events()).toEqual(events);
  expect(readFileSync(project.file('ran'), 'utf8')).toBe('b\n');
  expect(await leftRunning(project.folder)).toEqual([]);
});

test('of two that resume a run at once one carries it on and the other does not', async () => {
  const project = givenProject(PLAN);
  const first = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  signal(first.pid, 'SIGKILL');
  await first.ended;
  const both = [project.start('resume', '--json'), project.start('resume', '--json')];
  letGo(project, 'a');
  const codes = await Promise.all(both.map(async ({ ended }) => (await ended).code));
  expect(codes).toContain(0);
  // The second is refused, unless it comes so late that it finds the first at work and follows it, or finds all done.
  const refused = both.filter((_, at) => codes[at] !== 0);
  for (const { errors } of refused) expect(errors()).toContain('has been running');
  expect((await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.made')).toHaveLength(2);
  expect(readFileSync(project.file('ran'), 'utf8')).toBe('b\n');
});

test('runs of one project go on side by side in one store', async () => {
  const project = givenProject('tasks: { a: { run: echo a }, b: { needs: [a], run: echo x >> ran } }');
  const all = [1, 2, 3].map(() => project.start('run', 'plan.yaml', '--json'));
  for (const going of all) expect((await going.ended).code, going.errors()).toBe(0);
  expect(readFileSync(project.file('ran'), 'utf8')).toBe('x\nx\nx\n');
});

test('a step has no say in its own run', async () => {
  const words = ['stop', 'skip b', 'cancel', 'pause', 'approve b', 'answer b yes'];
  const heddle = `${process.execPath} ${ROOT}/bin/heddle.js`;
  // The second time without the environment of the step, and in a session of its own.
  const calls = [heddle, `setsid -w env -i ${heddle}`]
    .flatMap((call) => words.map((each) => `${call} ${each} >> said 2>&1;`))
    .join(' ');
  const project = givenProject(`tasks:\n  a: { run: "${calls} true" }\n  b: { needs: [a], run: touch b }\n`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(0);
  const said = readFileSync(project.file('said'), 'utf8').trim().split('\n');
  expect(said).toHaveLength(2 * words.length);
  for (const line of said) expect(line).toContain('a step can neither start a run nor control one');
  expect(existsSync(project.file('b'))).toBe(true);
});

test('a step cannot start a run of its own', async () => {
  const command = `${process.execPath} ${ROOT}/bin/heddle.js run plan.yaml > nested 2>&1`;
  const project = givenProject(`attempts: 1\ntasks:\n  a: { run: "${command}" }\n`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(1);
  expect(readFileSync(project.file('nested'), 'utf8')).toContain('a step can neither start a run nor control one');
  expect((await project.heddle('runs')).out.trim().split('\n')).toHaveLength(1);
  expect(existsSync(project.file('nested'))).toBe(true);
});
