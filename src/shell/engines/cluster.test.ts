import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import type { Store } from '../ports/store.ts';
import { givenFolder, givenRecord, opened, opening, PAUSED, started } from '../store/store.given.ts';
import { openCluster, type Cluster } from './cluster.ts';
import { systemClock } from '../loop/steady-clock.ts';
import { givenStore } from './engine.given.ts';
import type { EngineStore } from './engine-store.ts';
import { emptyEngine, memoryEngine, type EngineMemory } from './memory-engine.given.ts';

const LEASE_MS = 300;

interface Machine {
  readonly cluster: Cluster;
  readonly store: Store;
  readonly engine: EngineStore;
  readonly troubles: readonly (StoreFailure | undefined)[];
}

/** A machine with its own store on a disk, beside others on one engine. */
function givenMachine(memory: EngineMemory, name: string, clock = systemClock, lookMs = 20): Machine {
  const engine = givenStore(memoryEngine(memory), { leaseMs: LEASE_MS, clock });
  const store = opened(givenFolder());
  const troubles: (StoreFailure | undefined)[] = [];
  const onTrouble = (failure: StoreFailure | undefined) => troubles.push(failure);
  const cluster = openCluster({ engine, store, name, clock, lookMs, onTrouble });
  onTestFinished(() => cluster.close());
  return { cluster, store, engine, troubles };
}

function createdAt({ store }: Machine): string {
  const created = store.create(givenRecord(), started);
  if (created.type !== 'created') throw new Error(created.failure.code);
  return created.record.run;
}

async function ownedBy({ cluster }: Machine, run: string) {
  const owned = await cluster.own(run);
  if (owned.type !== 'owned') throw new Error(JSON.stringify(owned));
  return owned;
}

const soon = (expected: () => void): Promise<void> => vi.waitFor(expected, { timeout: PATIENCE_MS, interval: 10 });
const logOf = ({ store }: Machine, run: string) => store.eventsFrom(run, 0).events;

test('what one machine writes, the copies of all follow', async () => {
  const memory = emptyEngine();
  const [one, other] = [givenMachine(memory, 'one'), givenMachine(memory, 'other')];
  const run = createdAt(one);
  const { log, release } = await ownedBy(one, run);
  for (const task of ['a', 'b', 'c']) expect(await log.append([opening(task)], [])).toEqual({ type: 'appended' });
  const whole = [started, opening('a'), opening('b'), opening('c')];
  await soon(() => expect(logOf(one, run)).toEqual(whole));
  await soon(() => expect(logOf(other, run)).toEqual(whole));
  expect(other.store.find(run)).toEqual(one.store.find(run));
  expect([one, other].map(({ cluster }) => cluster.isVacant(run))).toEqual([false, false]);
  await release();
  await soon(() => expect(other.store.ownerOf(run)).toBeUndefined());
  await soon(() => expect([one, other].map(({ cluster }) => cluster.isVacant(run))).toEqual([true, true]));
});

test('a run that the engine has and nobody owns yet has an owner here, so that who follows it does not see one go', async () => {
  const memory = emptyEngine();
  const [one, other] = [givenMachine(memory, 'one'), givenMachine(memory, 'other')];
  const run = createdAt(one);
  const [record] = one.store.runs();
  if (record === undefined) throw new Error('There is no run.');
  expect(await one.engine.adopt(record, started)).toMatchObject({ type: 'created' });
  for (const { cluster, store } of [one, other]) {
    await cluster.look();
    expect(store.ownerOf(run)?.pid).toBe(process.pid);
  }
});

test('a look that began before this machine took the run does not let go of its copy', async () => {
  const memory = emptyEngine();
  const one = givenMachine(memory, 'one', systemClock, PATIENCE_MS);
  const run = createdAt(one);
  const { release } = await ownedBy(one, run);
  await release();
  const look = Promise.withResolvers<undefined>();
  memory.held = look.promise;
  const looking = one.cluster.look();
  memory.held = undefined;
  await ownedBy(one, run);
  look.resolve(undefined);
  await looking;
  expect(one.store.ownerOf(run)?.pid).toBe(process.pid);
});

test('a command that is posted at one machine is answered by the owner on another', async () => {
  const memory = emptyEngine();
  const [one, other] = [givenMachine(memory, 'one'), givenMachine(memory, 'other')];
  const run = createdAt(one);
  const { log } = await ownedBy(one, run);
  await soon(() => expect(logOf(other, run)).toHaveLength(1));
  const posted = other.store.post(run, { type: 'pause', tasks: [] });
  if (posted.type !== 'posted') throw new Error(posted.failure.code);
  await soon(() => expect(log.commands()).toHaveLength(1));
  await log.append(
    [],
    log.commands().map(({ id }) => ({ id, reply: PAUSED })),
  );
  await soon(() => expect(other.store.replyTo(posted.id)).toEqual(PAUSED));
  expect(log.commands()).toEqual([]);
});

test('a machine that falls silent is replaced, and can write nothing when it wakes', async () => {
  const memory = emptyEngine();
  const [one, other] = [givenMachine(memory, 'one'), givenMachine(memory, 'other')];
  const run = createdAt(one);
  const { log } = await ownedBy(one, run);
  await log.append([opening('a')], []);
  await one.engine.close();
  await soon(() => expect(other.cluster.isVacant(run)).toBe(true));
  const next = await ownedBy(other, run);
  expect(next.log.read()).toEqual([started, opening('a')]);
  await next.log.append([opening('b')], []);
  expect(await log.append([opening('stale')], [])).toMatchObject({ type: 'fenced' });
  await soon(() => expect(logOf(one, run)).toEqual([started, opening('a'), opening('b')]));
});

test('a lease ends at its moment, and not at the next look, unless the last one was long ago (cluster/C3)', async () => {
  const memory = emptyEngine();
  const one = givenMachine(memory, 'one');
  const run = createdAt(one);
  await ownedBy(one, run);
  await one.engine.close();
  const world = { at: 0 };
  const { cluster } = givenMachine(memory, 'other', { now: () => 0, monotonic: () => world.at }, PATIENCE_MS);
  const lookAt = async (at: number) => {
    world.at = at;
    await cluster.look();
  };
  const isVacantAt = (at: number): boolean => {
    world.at = at;
    return cluster.isVacant(run);
  };
  await lookAt(0);
  await lookAt(LEASE_MS / 2);
  expect([LEASE_MS - 1, LEASE_MS].map(isVacantAt)).toEqual([false, false]);
  await lookAt(LEASE_MS - 50);
  expect([LEASE_MS - 1, LEASE_MS].map(isVacantAt)).toEqual([false, true]);
  memory.isAway = true;
  await lookAt(LEASE_MS);
  expect(isVacantAt(LEASE_MS)).toBe(false);
});

test('while the engine is away an append waits, the trouble is told once, and nothing is lost', async () => {
  const memory = emptyEngine();
  const machine = givenMachine(memory, 'one');
  const run = createdAt(machine);
  const { log } = await ownedBy(machine, run);
  memory.isAway = true;
  const appending = log.append([opening('a')], []);
  await soon(() => expect(machine.troubles).toMatchObject([{ code: 'engine', why: 'away' }]));
  expect(logOf(machine, run)).toEqual([started]);
  memory.isAway = false;
  expect(await appending).toEqual({ type: 'appended' });
  await soon(() => expect(machine.troubles.at(-1)).toBeUndefined());
  expect(machine.troubles).toHaveLength(2);
  expect(logOf(machine, run)).toEqual([started, opening('a')]);
});

test('an owner that could not reach the engine for longer than its lease keeps its run', async () => {
  const memory = emptyEngine();
  const [one, other] = [givenMachine(memory, 'one'), givenMachine(memory, 'other')];
  const run = createdAt(one);
  const { log } = await ownedBy(one, run);
  await soon(() => expect(logOf(other, run)).toHaveLength(1));
  memory.isAway = true;
  await soon(() => expect(other.troubles).toHaveLength(1));
  await setTimeout(3 * LEASE_MS);
  memory.isAway = false;
  await soon(() => expect(other.troubles).toHaveLength(2));
  expect(other.cluster.isVacant(run)).toBe(false);
  expect(await log.append([opening('a')], [])).toEqual({ type: 'appended' });
});

test('a run that was begun without an engine moves into it with all its events', async () => {
  const memory = emptyEngine();
  const machine = givenMachine(memory, 'one');
  const run = createdAt(machine);
  const before = machine.store.own(run, { takesOver: false });
  if (before.type !== 'owned') throw new Error(before.type);
  before.log.append([opening('a')], []);
  before.release();
  const { log } = await ownedBy(machine, run);
  expect(log.read()).toEqual([started, opening('a')]);
  await log.append([opening('b')], []);
  expect(logOf(machine, run)).toEqual([started, opening('a'), opening('b')]);
});

test('two machines that gave one id to two runs learn it, and neither loses its own', async () => {
  const memory = emptyEngine();
  const one = givenMachine(memory, 'one');
  const run = createdAt(one);
  const other = opened(givenFolder());
  const created = other.create({ ...givenRecord(), createdAt: 5 }, started);
  if (created.type !== 'created') throw new Error(created.failure.code);
  await ownedBy(one, run);
  const engine = givenStore(memoryEngine(memory));
  expect(await engine.adopt(created.record, started)).toMatchObject({ failure: { code: 'run-taken', run } });
});

test('a copy that was written without the engine is told, and not mixed with the log of the engine', async () => {
  const memory = emptyEngine();
  const [one, other] = [givenMachine(memory, 'one'), givenMachine(memory, 'other')];
  const run = createdAt(one);
  const { release } = await ownedBy(one, run);
  await soon(() => expect(logOf(other, run)).toHaveLength(1));
  await release();
  await soon(() => expect(other.store.ownerOf(run)).toBeUndefined());
  const alone = other.store.own(run, { takesOver: true });
  if (alone.type !== 'owned') throw new Error(alone.type);
  alone.log.append([opening('alone')], []);
  alone.release();
  const again = await ownedBy(one, run);
  await soon(() => expect(other.troubles).toMatchObject([{ code: 'mirror-ahead', run }]));
  expect(again.log.read()).toEqual([started]);
});
