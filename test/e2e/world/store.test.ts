// What the disk can do to a store while a run goes on.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { mounts, need } from '../../needs.given.ts';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';
import { HOLD, holds, letGo, hasOutcome } from './holding.given.ts';
import { leftRunning, processesOf, signal } from './processes.given.ts';
import { until, type Line, type Project } from './project.given.ts';

const PLAN = `tasks:
  a: { run: "${HOLD}" }
  b: { needs: [a], run: echo b >> ran }
`;

const mounted: string[] = [];
const system = (program: string, ...words: readonly string[]): Buffer =>
  execFileSync(program, words, { stdio: 'pipe' });
endProjectsAfterEach();
// What is set up last is done first: what is mounted cannot be removed with its project.
afterEach(() => {
  for (const folder of mounted.splice(0)) system('umount', '-l', folder);
});

const isDone = (events: readonly Line[], task: string): boolean =>
  events.some((event) => event.type === 'task.ended' && event.task === task && event.ending === 'done');
const claimsOf = (events: readonly Line[], task: string): number =>
  events.filter((event) => event.work === 'step' && event.type === 'claim.made' && event.task === task).length;

/** Puts a small disk in the place of the store's folder. */
function mountSmallDisk({ home }: Project): void {
  mkdirSync(home);
  system('mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', home);
  mounted.push(home);
}

function isMadeReadOnly({ home }: Project): boolean {
  try {
    system('mount', '-o', 'remount,ro', home);
    return true;
  } catch (cause) {
    expect(String(cause)).toContain('busy');
    return false;
  }
}

/** Leaves so many bytes free. */
function fill(file: string, free: number): void {
  const filler = openSync(file, 'w');
  const piece = Buffer.alloc(4096, 1);
  let size = 0;
  try {
    for (;;) size += writeSync(filler, piece);
  } catch (cause) {
    expect(String(cause)).toContain('ENOSPC');
  }
  ftruncateSync(filler, size - free);
  closeSync(filler);
}

test('a full disk ends the coordinator with one clear message, and the run resumes once there is room', async (context) => {
  need(context, mounts());
  const project = givenProject(PLAN);
  mountSmallDisk(project);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  // The worker's outcome fits and what the log would add does not.
  fill(`${project.home}/filler`, 8192);
  letGo(project, 'a');
  expect((await going.ended).code).toBe(3);
  expect(going.errors()).toContain('The disk is full, so nothing was written to');
  expect(going.errors().match(/disk is full/g)).toHaveLength(1);
  expect(going.errors()).toContain('heddle resume world-1');
  rmSync(`${project.home}/filler`);
  expect((await project.heddle('resume', '--json')).code).toBe(0);
  const events = await project.events();
  expect(isDone(events, 'a') && isDone(events, 'b')).toBe(true);
  expect(claimsOf(events, 'a')).toBe(1);
  expect(readFileSync(project.file('ran'), 'utf8')).toBe('b\n');
});

test('an interrupt ends running steps although the full disk cannot record it, and the run resumes once there is room', async (context) => {
  need(context, mounts());
  const project = givenProject(PLAN);
  mountSmallDisk(project);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  fill(`${project.home}/filler`, 0);
  signal(going.pid, 'SIGINT');
  expect((await going.ended).code).toBe(3);
  expect(going.errors()).toContain('The stop could not be recorded: The disk is full');
  expect(going.errors()).toContain('Running steps were ended. heddle resume world-1 runs them again.');
  expect(await leftRunning(project.folder)).toEqual([]);
  rmSync(`${project.home}/filler`);
  const again = project.start('resume', '--json');
  await until(() => again.out().includes('"claim.made"'));
  letGo(project, 'a');
  expect((await again.ended).code).toBe(0);
});

test('a disk without room for an outcome keeps the step waiting, and nothing is lost', async (context) => {
  need(context, mounts());
  // What was printed is part of the outcome, which so fills more than is left of the note's last block.
  const project = givenProject(PLAN.replace(HOLD, () => `seq 4000; ${HOLD}`));
  mountSmallDisk(project);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  fill(`${project.home}/filler`, 0);
  letGo(project, 'a');
  await until(() => !processesOf(project.folder).some(({ type }) => type === 'step'));
  expect(going.isOver()).toBe(false);
  expect(hasOutcome(project, 'a')).toBe(false);
  rmSync(`${project.home}/filler`);
  expect((await going.ended).code).toBe(0);
  expect(hasOutcome(project, 'a')).toBe(true);
  expect(claimsOf(await project.events(), 'a')).toBe(1);
});

test('a store that is deleted during a run is restored or reported missing, and no step starts without a log', async () => {
  const project = givenProject(PLAN);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  for (const end of ['', '-wal', '-shm']) rmSync(`${project.home}/store.sqlite${end}`, { force: true });
  letGo(project, 'a');
  const { code } = await going.ended;
  const isPutBack = code === 0;
  if (isPutBack) expect(isDone(await project.events(), 'b')).toBe(true);
  else expect(going.errors()).toMatch(/store\.sqlite/);
  expect(existsSync(project.file('ran'))).toBe(isPutBack);
  expect(await leftRunning(project.folder)).toEqual([]);
});

test('a project folder that is deleted with all in it ends the run and leaves nothing running', async () => {
  const project = givenProject(PLAN);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  rmSync(project.home, { recursive: true, force: true });
  letGo(project, 'a');
  const { code } = await going.ended;
  expect(code).not.toBe(70);
  expect(going.errors()).not.toContain('bug of Heddle');
  expect(await leftRunning(project.folder)).toEqual([]);
});

test('a store that cannot be written is refused before anything starts', async (context) => {
  const project = givenProject(PLAN);
  mkdirSync(project.home);
  if (isRoot()) {
    // Root may write whatever the mode says, so the disk itself is made read-only.
    need(context, mounts());
    mountReadOnlyDisk(project);
  } else {
    chmodSync(project.home, 0o500);
  }
  const { code, errors } = await project.heddle('run', 'plan.yaml', '--json');
  expect(code).toBe(2);
  expect(errors).toMatch(/cannot be written|is on a read-only file system\. Mount it writable/);
  expect(existsSync(project.file('a.here'))).toBe(false);
});

const isRoot = (): boolean => process.getuid?.() === 0;

function mountReadOnlyDisk({ home }: Project): void {
  system('mount', '-t', 'tmpfs', '-o', 'ro,size=1m', 'none', home);
  mounted.push(home);
}

test('a store that has become read-only is refused with a message, and the run resumes later', async (context) => {
  need(context, mounts());
  const project = givenProject(PLAN);
  mountSmallDisk(project);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  signal(going.pid, 'SIGKILL');
  await going.ended;
  letGo(project, 'a');
  await until(() => hasOutcome(project, 'a'));
  // A disk on which somebody has files open for writing cannot be made read-only, and who has just ended may have some.
  expect(await leftRunning(project.folder)).toEqual([]);
  await until(() => isMadeReadOnly(project));
  const refused = await project.heddle('resume', '--json');
  expect(refused.code).toBe(2);
  expect(refused.errors).toMatch(/cannot be written|is on a read-only file system\. Mount it writable/);
  system('mount', '-o', 'remount,rw', project.home);
  expect((await project.heddle('resume', '--json')).code).toBe(0);
  expect(claimsOf(await project.events(), 'a')).toBe(1);
});

test('a store that another process has locked is waited for, and then said to be locked', async () => {
  const project = givenProject(PLAN);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  const other = new DatabaseSync(`${project.home}/store.sqlite`);
  other.exec('BEGIN IMMEDIATE');
  letGo(project, 'a');
  const { code } = await going.ended;
  expect(code).toBe(3);
  expect(going.errors()).toContain('Another process keeps the store');
  other.exec('ROLLBACK');
  other.close();
  expect((await project.heddle('resume', '--json')).code).toBe(0);
  expect(claimsOf(await project.events(), 'a')).toBe(1);
});

test('a damaged store is reported, with the salvaged part, and is never used as if it were whole', async () => {
  const project = givenProject('tasks: { a: { run: echo a }, b: { needs: [a], run: echo b } }');
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(0);
  const file = `${project.home}/store.sqlite`;
  const pages = readFileSync(file);
  writeFileSync(file, Buffer.concat([pages.subarray(0, 4096), Buffer.alloc(pages.length - 4096, 0x5a)]));
  const { code, errors } = await project.heddle('resume', '--json');
  expect(code).toBe(2);
  expect(errors).toMatch(/store\.sqlite is damaged/);
  expect(errors).toMatch(/was copied to|Nothing of a run could be read from it\. .*\.recover/);
  expect(errors).not.toContain('bug of Heddle');
  const rubbish = givenProject(PLAN);
  mkdirSync(rubbish.home);
  writeFileSync(`${rubbish.home}/store.sqlite`, 'This is no database at all. '.repeat(400));
  const refused = await rubbish.heddle('run', 'plan.yaml');
  expect(refused.code).toBe(2);
  expect(refused.errors).toMatch(/damaged|not a store/);
});

test('a file in the place of the folder of the store is reported by every command', async () => {
  const project = givenProject(PLAN);
  writeFileSync(project.home, '');
  for (const words of [['run'], ['status'], ['doctor'], ['doctor', '--fix']]) {
    const { code, errors } = await project.heddle(...words);
    expect([code, errors]).toEqual([
      2,
      expect.stringContaining('.heddle is not a folder, and Heddle keeps its files there.'),
    ]);
  }
});

test('a run that is refused leaves no store behind', async () => {
  const outside = givenProject('heddle: 1\nname: world\ntasks: { a: { run: echo a } }\n');
  const { code, errors } = await outside.heddle('run', 'plan.yaml');
  expect(code).toBe(2);
  expect(errors).toContain('is not in a git repository');
  expect(existsSync(outside.home)).toBe(false);
  const unfed = givenProject('inputs: { who: { type: string } }\ntasks: { a: { run: echo a } }');
  expect((await unfed.heddle('run', 'plan.yaml')).code).toBe(2);
  expect(existsSync(unfed.home)).toBe(false);
});
