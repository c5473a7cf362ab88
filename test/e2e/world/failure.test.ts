// What the failure of a step does: to its siblings, to those who need it, to itself, and to the exit code.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';
import { HOLD, holds, letGo } from './holding.given.ts';
import { leftRunning } from './processes.given.ts';
import type { Line } from './project.given.ts';

endProjectsAfterEach();

/** How each task ended: `task: ending reason cause`. */
const endsOf = (events: readonly Line[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    events
      .filter(({ type }) => type === 'task.ended' || type === 'task.skipped')
      .map(({ task, ending, reason, cause }) => [
        task ?? '',
        [ending, reason, cause].filter((word) => word !== undefined).join(' '),
      ]),
  );

test('fail_fast ends running siblings at once, even one that ignores SIGTERM, and says who caused it', async () => {
  const project = givenProject(`failure_mode: fail_fast
attempts: 1
tasks:
  bad: { run: "${HOLD}; exit 1" }
  held: { run: "${HOLD}" }
  stubborn: { run: "trap '' TERM; ${HOLD}" }
  waits: { needs: [held], run: "touch waited" }
`);
  const going = project.start('run', 'plan.yaml', '--json');
  await Promise.all(['bad', 'held', 'stubborn'].map((task) => holds(project, task)));
  letGo(project, 'bad');
  expect((await going.ended).code).toBe(1);
  const events = await project.events();
  expect(endsOf(events)).toEqual({
    bad: 'failed failed',
    held: 'cancelled fail_fast bad',
    stubborn: 'cancelled fail_fast bad',
    waits: expect.stringMatching(/^cancelled/),
  });
  expect(
    events
      .filter(({ type, work }) => work === 'step' && type === 'claim.cancelling')
      .map(({ task, cause }) => [task, cause]),
  ).toEqual([
    ['held', 'bad'],
    ['stubborn', 'bad'],
  ]);
  expect(existsSync(project.file('waited'))).toBe(false);
  expect(await leftRunning(project.folder)).toEqual([]);
});

test('continue_on_error runs all that does not depend on a failure and reports every failure at the end', async () => {
  const project = givenProject(`attempts: 1
tasks:
  one: { run: "echo broken one; exit 3" }
  two: { run: "echo broken two; exit 4" }
  needy: { needs: [one], run: touch needy }
  fine: { run: sleep 0.5; echo fine }
  more: { needs: [fine], run: touch more }
`);
  const { code, out } = await project.heddle('run', 'plan.yaml');
  expect(code).toBe(1);
  const atTheEnd = out.slice(out.indexOf('world-1 ended'));
  expect(atTheEnd).toContain('broken one');
  expect(atTheEnd).toContain('broken two');
  expect(existsSync(project.file('more'))).toBe(true);
  expect(existsSync(project.file('needy'))).toBe(false);
  expect(endsOf(await project.events())).toEqual({
    one: 'failed failed',
    two: 'failed failed',
    needy: 'cancelled need one',
    fine: 'done',
    more: 'done',
  });
});

test('a step that takes too long is ended, and so is one that is silent for too long', async () => {
  const project = givenProject(`attempts: 1
tasks:
  long: { timeout: 1s, run: "while :; do echo still here; sleep 0.1; done" }
  silent: { idle_timeout: 1s, run: "trap '' TERM; sleep 600" }
  speaks: { idle_timeout: 8s, run: "for i in 1 2 3 4 5; do echo $i; sleep 2; done" }
`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(1);
  expect(endsOf(await project.events())).toEqual({ long: 'failed timeout', silent: 'failed idle', speaks: 'done' });
  expect(await leftRunning(project.folder)).toEqual([]);
});

test('a step that fails is tried again after a rest, and no more often than the plan allows', async () => {
  const project = givenProject(`attempts: 3
tasks:
  third: { run: "echo x >> tries; test $(wc -l < tries) -ge 3" }
  never: { attempts: 2, run: "echo x >> never; exit 1" }
`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(1);
  const events = await project.events();
  expect(endsOf(events)).toEqual({ third: 'done', never: 'failed failed' });
  expect(readFileSync(project.file('never'), 'utf8')).toBe('x\nx\n');
  const [first, second] = events.filter(
    ({ type, work, task }) => work === 'step' && type === 'claim.made' && task === 'third',
  );
  const returned = events.find(
    ({ type, work, task }) => work === 'step' && type === 'claim.returned' && task === 'third',
  );
  expect(returned?.until).toBeGreaterThan(first?.at ?? Infinity);
  expect(second?.at).toBeGreaterThanOrEqual(returned?.until ?? Infinity);
});

test('a program that a signal ended has crashed, and is tried again', async () => {
  const project = givenProject('tasks: { a: { run: "test -e once || { : > once; kill -KILL $$; }" } }');
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(0);
  const returned = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.returned');
  expect(returned).toMatchObject([{ reason: 'crashed', counted: true }]);
});

test('a plan that is wrong or a call that is wrong exits with 2, and nothing starts', async () => {
  const project = givenProject('tasks: { a: { needs: [nobody], run: touch ran } }');
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(2);
  expect((await project.heddle('run', 'elsewhere.yaml')).code).toBe(2);
  expect((await project.heddle('resume')).code).toBe(2);
  expect((await project.heddle('run', 'plan.yaml', '--policy', 'odd')).code).toBe(2);
  expect(existsSync(project.file('ran'))).toBe(false);
});

test('the list of runs says how each of them went', async () => {
  const project = givenProject(
    'attempts: 1\ntasks: { a: { run: "true" }, b: { run: exit 1 }, c: { needs: [b], run: x } }',
  );
  expect((await project.heddle('run')).code).toBe(1);
  const { out } = await project.heddle('runs');
  expect(out).toMatch(
    /^world-1 {2}\d{4}-\d\d-\d\d \S+ UTC {2}ended {2}1 of 3 done, 1 failed, 1 cancelled {2}plan\.yaml\n$/,
  );
  const [told] = JSON.parse((await project.heddle('runs', '--json')).out);
  expect(told).toMatchObject({ run: 'world-1', stage: 'ended', total: 3, counts: { completed: 1, failed: 1 } });
});
