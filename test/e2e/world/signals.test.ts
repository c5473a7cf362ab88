// Signals: stopping and waking processes, Ctrl-C, and runs in the background.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';
import { HOLD, holds, letGo, hasOutcome } from './holding.given.ts';
import { leftRunning, processesOf, signal } from './processes.given.ts';
import { until } from './project.given.ts';

endProjectsAfterEach();

const PLAN = `tasks:
  a: { run: "${HOLD}" }
  b: { needs: [a], run: echo b >> ran }
`;

test('a coordinator that is stopped and continued settles the steps that ended meanwhile', async () => {
  const project = givenProject(PLAN);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  signal(going.pid, 'SIGSTOP');
  letGo(project, 'a');
  await until(() => hasOutcome(project, 'a'));
  expect(existsSync(project.file('ran'))).toBe(false);
  signal(going.pid, 'SIGCONT');
  expect((await going.ended).code).toBe(0);
  expect((await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.made')).toHaveLength(2);
});

test('a worker that is stopped and woken keeps its claim', async () => {
  const project = givenProject(PLAN);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  const workers = processesOf(project.folder).filter(({ type }) => type === 'worker');
  expect(workers.length).toBeGreaterThan(0);
  for (const { pid } of workers) signal(pid, 'SIGSTOP');
  letGo(project, 'a');
  await until(() => !processesOf(project.folder).some(({ type }) => type === 'step'));
  expect(going.isOver()).toBe(false);
  for (const { pid } of workers) signal(pid, 'SIGCONT');
  expect((await going.ended).code).toBe(0);
  expect((await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.made')).toHaveLength(2);
});

test('a worker that is stopped for good is ended with its step when the run is cancelled', async () => {
  const project = givenProject(PLAN);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  for (const { pid } of processesOf(project.folder).filter(({ type }) => type === 'worker')) signal(pid, 'SIGSTOP');
  expect((await project.heddle('cancel')).code).toBe(0);
  expect((await going.ended).code).toBe(1);
  expect(await leftRunning(project.folder)).toEqual([]);
});

test('a coordinator finishes its run after its output is closed', async () => {
  const project = givenProject(PLAN);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  going.child.stdout?.destroy();
  going.child.stderr?.destroy();
  letGo(project, 'a');
  expect((await going.ended).code).toBe(0);
  expect(readFileSync(project.file('ran'), 'utf8')).toBe('b\n');
});

test('Ctrl-C ends running steps, says how to resume, and the run can be resumed', async () => {
  const project = givenProject(PLAN);
  const going = project.start('run', 'plan.yaml');
  await holds(project, 'a');
  signal(going.pid, 'SIGINT');
  expect((await going.ended).code).toBe(130);
  expect(`${going.out()}${going.errors()}`).toContain('heddle resume world-1');
  expect(await leftRunning(project.folder)).toEqual([]);
  letGo(project, 'a');
  expect((await project.heddle('resume', '--json')).code).toBe(0);
  expect(readFileSync(project.file('ran'), 'utf8')).toBe('b\n');
  // To have been stopped is no failure of the step.
  expect((await project.events()).find(({ type, work }) => work === 'step' && type === 'claim.returned')).toMatchObject(
    { counted: false },
  );
});

test('SIGTERM does the same as Ctrl-C', async () => {
  const project = givenProject(PLAN);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  signal(going.pid, 'SIGTERM');
  expect((await going.ended).code).toBe(130);
  expect(going.errors()).toContain('heddle resume world-1');
  expect(await leftRunning(project.folder)).toEqual([]);
  letGo(project, 'a');
  expect((await project.heddle('resume', '--json')).code).toBe(0);
});

const STUBBORN = `tasks:
  a: { run: "trap '' TERM INT HUP; ${HOLD}" }
`;

test('a second Ctrl-C ends at once what does not listen', async () => {
  const project = givenProject(STUBBORN);
  const going = project.start('run', 'plan.yaml');
  await holds(project, 'a');
  signal(going.pid, 'SIGINT');
  await until(() => going.errors().includes('Interrupt once more to end them now.'));
  // Two that come together are one wish, so the second keeps its distance.
  await setTimeout(400);
  signal(going.pid, 'SIGINT');
  expect((await going.ended).code).toBe(130);
  expect(going.errors()).toContain('Ending running steps now.');
  expect(await leftRunning(project.folder)).toEqual([]);
});

test('a step that ignores SIGTERM is ended after the grace, and the run can be resumed', async () => {
  const project = givenProject(STUBBORN);
  const going = project.start('run', 'plan.yaml', '--json');
  const pid = await holds(project, 'a');
  signal(going.pid, 'SIGINT');
  expect((await going.ended).code).toBe(130);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  expect(await leftRunning(project.folder)).toEqual([]);
  letGo(project, 'a');
  expect((await project.heddle('resume', '--json')).code).toBe(0);
});

test('a run in the background outlives the command that started it', async () => {
  const project = givenProject(PLAN);
  const { code, out } = await project.heddle('run', 'plan.yaml', '--detach');
  expect(code).toBe(0);
  expect(out).toContain('world-1');
  await holds(project, 'a');
  const coordinators = processesOf(project.folder).filter(({ type }) => type === 'coordinator');
  expect(coordinators).toHaveLength(1);
  letGo(project, 'a');
  await until(() => existsSync(project.file('ran')));
  expect(await leftRunning(project.folder)).toEqual([]);
  expect((await project.events()).at(-1)?.type).toBe('run.ended');
});

test('a run in the background is stopped and resumed from another terminal', async () => {
  const project = givenProject(PLAN);
  await project.heddle('run', 'plan.yaml', '--detach');
  await holds(project, 'a');
  expect((await project.heddle('stop')).code).toBe(0);
  expect(await leftRunning(project.folder)).toEqual([]);
  letGo(project, 'a');
  expect((await project.heddle('resume', '--detach')).code).toBe(0);
  await until(() => existsSync(project.file('ran')));
  expect(await leftRunning(project.folder)).toEqual([]);
});
