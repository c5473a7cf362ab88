// Steps that print much, print anything, close what they print to, and leave others behind.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';
import { leftRunning } from './processes.given.ts';
import type { Line, Project } from './project.given.ts';

endProjectsAfterEach();

const folderOf = (project: Project, task: string): string =>
  project.attempt({ work: 'step', task, step: 'main', attempt: 1 });

const resultOf = (events: readonly Line[], task: string): Line['result'] =>
  events.find((event) => event.work === 'step' && event.type === 'claim.ended' && event.task === task)?.result;

test('ten thousand lines a second for some seconds are kept in order, while another step runs', async () => {
  // Thirty times a second a third of a thousand lines, as a noisy program prints them.
  const project = givenProject(`tasks:
  loud: { run: "i=0; while [ $i -lt 100 ]; do seq $((i * 300 + 1)) $((i * 300 + 300)); sleep 0.03; i=$((i + 1)); done" }
  other: { run: echo heard }
`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(0);
  const lines = readFileSync(join(folderOf(project, 'loud'), 'output.log'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(30_000);
  expect(lines.findIndex((line, at) => line !== String(at + 1))).toBe(-1);
  expect(resultOf(await project.events(), 'other')?.response).toBe('heard');
});

test('a flood of output is bounded on the disk, and its end is kept', async () => {
  const project = givenProject('tasks: { flood: { run: seq 8000000; echo the end } }');
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(0);
  const folder = folderOf(project, 'flood');
  const parts = readdirSync(folder).filter((name) => name.startsWith('output'));
  const bytes = parts.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThanOrEqual(4 * 8 * 1024 * 1024);
  expect((await project.heddle('logs', 'flood')).out.trimEnd().endsWith('8000000\nthe end')).toBe(true);
});

test('binary output is kept byte for byte, and the log stays readable', async () => {
  const project = givenProject(`tasks:
  bytes: { run: "head -c 300000 /dev/urandom | tee sent" }
  next: { needs: [bytes], run: "printf '%s' {{ tasks.bytes.response }} | wc -c" }
`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(0);
  const kept = readFileSync(join(folderOf(project, 'bytes'), 'output.log'));
  expect(kept.equals(readFileSync(project.file('sent')))).toBe(true);
  expect(Number(resultOf(await project.events(), 'next')?.response)).toBeGreaterThan(0);
});

test('what a step leaves in the background is ended with it, in its group or in a session of its own', async () => {
  const project = givenProject(`tasks:
  group: { run: "sleep 600 & echo started" }
  session: { run: "setsid sleep 600 > /dev/null 2>&1 & echo started" }
  daemon: { run: "(setsid sh -c 'trap \\"\\" TERM; sleep 600' &) ; echo started" }
`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(0);
  expect(await leftRunning(project.folder)).toEqual([]);
});

test('a step that closes its streams is waited for all the same', async () => {
  const project = givenProject(`tasks:
  quiet: { run: "exec > /dev/null 2>&1 < /dev/null; exec 1>&- 2>&-; sleep 1; : > done" }
  after: { needs: [quiet], run: test -e done }
`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(0);
  expect((await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.made')).toHaveLength(2);
});

test('a step can open its own streams by name and reads an empty input', async () => {
  const project = givenProject(`tasks:
  named: { run: "echo out > /dev/stdout; echo oops > /dev/stderr; cat" }
`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(0);
  expect(resultOf(await project.events(), 'named')?.response).toBe('out');
});

test('logs says why there is nothing to show, and --json prints every event of the log', async () => {
  const project = givenProject(`attempts: 1
tasks:
  a: { run: exit 3 }
  b: { needs: [a], run: "true" }
  s: { tasks: { x: { run: "true" } } }
`);
  const { out } = await project.heddle('run', 'plan.yaml', '--json');
  expect((await project.heddle('events')).out).toBe(out);
  expect(await project.heddle('logs', 'b')).toMatchObject({ code: 0, errors: expect.stringContaining('never ran') });
  expect(await project.heddle('logs', 's')).toMatchObject({
    code: 0,
    errors: expect.stringContaining('heddle logs s.x'),
  });
  const missed = { code: 2, errors: expect.stringContaining('Those made: main 1.') };
  expect(await project.heddle('logs', 'a', '--attempt', '7')).toMatchObject(missed);
});

test('joined data is held to the shape that its join declares, and the error of a need that failed fits any', async () => {
  const project = givenProject(`attempts: 1
tasks:
  good: { run: "echo '{\\"score\\": 1}'", output: { type: object } }
  other: { run: "echo '{\\"else\\": 1}'", output: { type: object } }
  bad: { run: "exit 3", output: { type: object } }
  first: { needs: [good, other], join: {}, output: { type: object, properties: { other: { required: [score] } } } }
  second:
    needs: [good, bad]
    join: { on_error: wait_for_all }
    output: { type: object, properties: { bad: { type: object, required: [score] } } }
`);
  expect((await project.heddle('run', '--json')).code).toBe(1);
  const ends = (await project.events()).filter(({ type }) => type === 'task.ended');
  expect(ends.find(({ task }) => task === 'first')).toMatchObject({
    reason: 'output',
    cause: expect.stringContaining('/other'),
  });
  expect(ends.find(({ task }) => task === 'second')).toMatchObject({ ending: 'done' });
});
