// `heddle serve` and `heddle host` as real processes with real git: what survives which death.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../patience.given.ts';
import { temporaryFolder } from '../git-project.given.ts';
import { givenServed, type ServedHere } from './serve.given.ts';
import { logged, realHost, tallyOf, type RealHost } from './real-hosts.given.ts';

/** Tasks that wait for a file, so that a test decides how long they last. */
function planOf(count: number, gate: string): string {
  const wait = `echo >> ${gate}.begun; while [ ! -e ${gate} ]; do sleep 0.1; done`;
  const tasks = Array.from(
    { length: count },
    (_, index) => `  t${index}: { run: "${wait}; echo ${index} > t${index}.txt" }`,
  );
  return `heddle: 1\nname: many\nsandbox: { isolation: none }\nmax_parallel: 8\ntasks:\n${tasks.join('\n')}\n`;
}

interface Many {
  readonly given: ServedHere;
  /** Lets all tasks end. */
  readonly open: () => void;
  /** How many attempts have begun. */
  readonly begun: () => number;
  readonly count: number;
}

function many(count: number): Many {
  const gate = join(temporaryFolder(), 'gate');
  const begun = (): number => (existsSync(`${gate}.begun`) ? readFileSync(`${gate}.begun`, 'utf8').length : 0);
  return { given: givenServed(planOf(count, gate)), open: () => writeFileSync(gate, ''), begun, count };
}

const hostsFor = (given: ServedHere, base: string, names: readonly string[]): readonly RealHost[] =>
  names.map((name) => realHost({ name, base, token: given.token(name) }));

/** Everything was merged once, and all of it is on the branch of the run. */
async function mustBeWhole({ given, count }: Many): Promise<void> {
  // The server publishes the branch after the last event.
  await vi.waitFor(() => given.project.git('rev-parse', '--verify', 'heddle/many-1'), { timeout: PATIENCE_MS });
  const names = Array.from({ length: count }, (_, index) => `t${index}`);
  expect(tallyOf(given.events('many-1'))).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
  const files = given.project.git('ls-tree', '--name-only', 'heddle/many-1').split('\n');
  expect(files).toEqual(expect.arrayContaining(names.map((name) => `${name}.txt`)));
}

const placedOn = (given: ServedHere): readonly string[] =>
  given.events('many-1').flatMap(({ type, host }) => (type === 'claim.placed' && host !== undefined ? [host] : []));

const hostsShown = (given: ServedHere): string => given.heddle('hosts').out;

test('three hosts do the work of a run, and everything is merged here once', async () => {
  const trial = many(6);
  const { given } = trial;
  const server = await given.serve('--width', '0');
  hostsFor(given, server.base, ['one', 'two', 'three']);
  const run = given.begin('run', 'plan.yaml', '--plain');
  await vi.waitFor(() => expect(placedOn(given)).toHaveLength(6), { timeout: PATIENCE_MS, interval: 200 });
  trial.open();
  expect(await run.ended).toBe(0);
  expect(new Set(placedOn(given))).toEqual(new Set(['one', 'two', 'three']));
  await mustBeWhole(trial);
});

test('the claims of a host that is killed for good are lost after its lease, and others do them', async () => {
  const trial = many(4);
  const { given } = trial;
  const server = await given.serve('--width', '0', '--lease', '5s');
  const [one, two] = hostsFor(given, server.base, ['one', 'two']);
  const run = given.begin('run', 'plan.yaml', '--plain');
  await vi.waitFor(() => expect(placedOn(given)).toHaveLength(4), { timeout: PATIENCE_MS, interval: 200 });
  one?.child.kill('SIGKILL');
  await logged(given, 'many-1', ({ type, host }) => type === 'claim.placed' && host === 'two');
  trial.open();
  expect(await run.ended).toBe(0);
  expect(placedOn(given).filter((host) => host === 'two').length).toBe(4);
  expect(hostsShown(given)).toContain('lost');
  await mustBeWhole(trial);
  expect(two?.child.exitCode).toBeNull();
});

test('hosts go on while the server is dead, and report to the next one', async () => {
  const trial = many(4);
  const { given } = trial;
  const server = await given.serve('--width', '0');
  hostsFor(given, server.base, ['one', 'two']);
  given.begin('run', 'plan.yaml', '--detach');
  await vi.waitFor(() => expect(placedOn(given)).toHaveLength(4), { timeout: PATIENCE_MS, interval: 200 });
  server.child.kill('SIGKILL');
  await server.ended;
  trial.open();
  await given.serve('--listen', `127.0.0.1:${server.port}`, '--width', '0');
  await logged(given, 'many-1', ({ type }) => type === 'run.ended');
  const attempts = given.events('many-1').filter(({ type, work }) => type === 'claim.made' && work === 'step');
  expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
  await mustBeWhole(trial);
});

test('a host program that is killed is started again, and its work is not done twice', async () => {
  const trial = many(2);
  const { given } = trial;
  const server = await given.serve('--width', '0');
  const [one] = hostsFor(given, server.base, ['one']);
  given.begin('run', 'plan.yaml', '--detach');
  await vi.waitFor(() => expect(placedOn(given)).toHaveLength(2), { timeout: PATIENCE_MS, interval: 200 });
  await vi.waitFor(() => expect(trial.begun()).toBe(2), { timeout: PATIENCE_MS, interval: 100 });
  one?.child.kill('SIGKILL');
  await one?.ended;
  one?.again(server.base);
  trial.open();
  await logged(given, 'many-1', ({ type }) => type === 'run.ended');
  const attempts = given.events('many-1').filter(({ type, work }) => type === 'claim.made' && work === 'step');
  expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 1]);
  await mustBeWhole(trial);
});

test('a host that is asked to leave ends its work first, and is given nothing more', async () => {
  const trial = many(4);
  const { given } = trial;
  const server = await given.serve('--width', '0');
  const [one] = hostsFor(given, server.base, ['one']);
  const run = given.begin('run', 'plan.yaml', '--plain');
  // A host that is asked before its first steps have begun may have nothing to end, and has left at once.
  await vi.waitFor(() => expect(trial.begun()).toBe(2), { timeout: PATIENCE_MS, interval: 100 });
  one?.child.kill('SIGINT');
  await vi.waitFor(() => expect(hostsShown(given)).toContain('leaving'), { timeout: PATIENCE_MS, interval: 200 });
  trial.open();
  expect(await one?.ended).toBe(0);
  await vi.waitFor(() => expect(hostsShown(given)).toContain('has left'), { timeout: PATIENCE_MS, interval: 200 });
  hostsFor(given, server.base, ['two']);
  expect(await run.ended).toBe(0);
  expect(placedOn(given).toSorted()).toEqual(['one', 'one', 'two', 'two']);
  await mustBeWhole(trial);
});

test('a host whose token is revoked is cut off at once, and its work is given to another', async () => {
  const trial = many(2);
  const { given } = trial;
  const server = await given.serve('--width', '0', '--lease', '5s');
  const [one] = hostsFor(given, server.base, ['one']);
  const run = given.begin('run', 'plan.yaml', '--plain');
  await vi.waitFor(() => expect(placedOn(given)).toHaveLength(2), { timeout: PATIENCE_MS, interval: 200 });
  expect(given.heddle('token', 'revoke', 'one').code).toBe(0);
  await vi.waitFor(() => expect(one?.printed()).toMatch(/revoked/), { timeout: PATIENCE_MS });
  hostsFor(given, server.base, ['two']);
  await logged(given, 'many-1', ({ type, host }) => type === 'claim.placed' && host === 'two');
  trial.open();
  expect(await run.ended).toBe(0);
  await mustBeWhole(trial);
});

test('the server that is asked to end leaves the work on hosts alone', async () => {
  const trial = many(2);
  const { given } = trial;
  const server = await given.serve('--width', '0');
  hostsFor(given, server.base, ['one']);
  given.begin('run', 'plan.yaml', '--detach');
  await vi.waitFor(() => expect(placedOn(given)).toHaveLength(2), { timeout: PATIENCE_MS, interval: 200 });
  server.child.kill('SIGINT');
  expect(await server.ended).toBe(0);
  expect(server.printed()).toContain('many-1: 2 pieces on other machines go on.');
  expect(existsSync(join(given.project.folder, '.heddle', 'serve.json'))).toBe(false);
  trial.open();
  await given.serve('--listen', `127.0.0.1:${server.port}`, '--width', '0');
  await logged(given, 'many-1', ({ type }) => type === 'run.ended');
  await mustBeWhole(trial);
});
