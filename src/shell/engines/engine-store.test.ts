import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import { storeContract } from '../store/store-contract.given.ts';
import { givenRecord, opening, openings, started } from '../store/store.given.ts';
import { engineContract, projectsContract } from './engine-contract.given.ts';
import { diskOver, givenStore } from './engine.given.ts';
import type { EngineSettings } from './engine-calls.ts';
import type { EngineStore } from './engine-store.ts';
import { emptyEngine, memoryEngine, type EngineMemory } from './memory-engine.given.ts';

engineContract('an engine in memory', memoryEngine(emptyEngine()));
const projects = { one: emptyEngine(), two: emptyEngine() };
projectsContract('an engine in memory', (project) => memoryEngine(project === 'one' ? projects.one : projects.two));
storeContract('a store over an engine', () => diskOver(memoryEngine(emptyEngine())));

async function ownedRun(memory: EngineMemory, settings: Partial<EngineSettings> = {}) {
  const store = givenStore(memoryEngine(memory), settings);
  const created = await store.create(givenRecord(), started);
  if (created.type !== 'created') throw new Error(created.failure.code);
  const { run } = created.record;
  const owned = await store.own(run, { takesOver: false });
  if (owned.type !== 'owned') throw new Error(owned.type);
  return { store, run, log: owned.log };
}

const logIn = async (store: EngineStore, run: string) => (await store.eventsFrom(run, 0)).events;

test('writes whose answers are lost are repeated and done once', async () => {
  const memory = emptyEngine();
  memory.lost = 1;
  const { store, run, log } = await ownedRun(memory);
  expect(memory.runs.size).toBe(1);
  memory.lost = 2;
  expect(await log.append(openings(2), [])).toEqual({ type: 'appended' });
  memory.lost = 1;
  expect(await store.post(run, { type: 'stop', tasks: [] })).toEqual({ type: 'posted', id: 1 });
  expect(memory.commands).toHaveLength(1);
  expect(await logIn(store, run)).toEqual([started, ...openings(2)]);
});

test('a claim whose answer is lost is one claim', async () => {
  const memory = emptyEngine();
  const store = givenStore(memoryEngine(memory));
  const created = await store.create(givenRecord(), started);
  if (created.type !== 'created') throw new Error(created.failure.code);
  memory.lost = 1;
  expect(await store.own(created.record.run, { takesOver: false })).toMatchObject({ owner: { epoch: 1 } });
});

test('an append that was given up and had been written shows itself at the next one', async () => {
  const memory = emptyEngine();
  const { store, run, log } = await ownedRun(memory, { patienceMs: 0, leaseMs: 60_000 });
  memory.lost = 1;
  expect(await log.append([opening('a')], [])).toMatchObject({ failure: { code: 'engine', why: 'away' } });
  expect(await log.append([opening('b')], [])).toMatchObject({ failure: { code: 'engine', why: 'away' } });
  expect(log.read()).toEqual([started]);
  expect(await logIn(store, run)).toEqual([started, opening('a')]);
});

test('while the engine is away an append fails in words, and nothing is written', async () => {
  const memory = emptyEngine();
  const { store, run, log } = await ownedRun(memory, { patienceMs: 0 });
  memory.isAway = true;
  const failure = { code: 'engine', why: 'away', engine: 'memory', cause: 'connection refused' };
  expect(await log.append([opening('a')], [])).toEqual({ type: 'failed', failure });
  expect(await store.own(run, { takesOver: false })).toEqual({ type: 'failed', failure });
  expect(await store.post(run, { type: 'stop', tasks: [] })).toEqual({ type: 'failed', failure });
  memory.isAway = false;
  expect(await log.append([opening('a')], [])).toEqual({ type: 'appended' });
  expect(await logIn(store, run)).toEqual([started, opening('a')]);
});

test('an owner is replaced when this process has heard nothing of it for its lease, and not before', async () => {
  const memory = emptyEngine();
  const { store, run, log } = await ownedRun(memory);
  let at = 0;
  const other = givenStore(memoryEngine(memory), { clock: { now: () => 5, monotonic: () => at } });
  await store.close();
  expect(await other.own(run, { takesOver: false })).toMatchObject({ type: 'refused', silentMs: 0 });
  at = 999;
  expect(await other.own(run, { takesOver: false })).toMatchObject({ type: 'refused', silentMs: 999 });
  expect(await log.append([opening('a')], [])).toEqual({ type: 'appended' });
  at = 1_500;
  expect(await other.own(run, { takesOver: false })).toMatchObject({ type: 'refused', silentMs: 0 });
  at = 2_500;
  expect(await other.own(run, { takesOver: false })).toMatchObject({ type: 'owned', owner: { epoch: 2 } });
  expect(await log.append([opening('b')], [])).toMatchObject({ type: 'fenced', by: { epoch: 2, host: 'here' } });
});

test('time in which the engine was away counts for the silence of no owner', async () => {
  const memory = emptyEngine();
  await ownedRun(memory);
  let at = 0;
  const other = givenStore(memoryEngine(memory), { clock: { now: () => 5, monotonic: () => at } });
  const isSilent = async () => (await other.heads()).some((head) => other.isSilent(head));
  expect(await isSilent()).toBe(false);
  memory.isAway = true;
  await expect(other.heads()).rejects.toMatchObject({ why: 'away' });
  at = 5_000;
  memory.isAway = false;
  expect(await isSilent()).toBe(false);
  at = 5_999;
  expect(await isSilent()).toBe(false);
});

test('an owner whose append failed beats no more, so that the run is taken up when its lease has ended', async () => {
  const memory = emptyEngine();
  const { store, run, log } = await ownedRun(memory, { patienceMs: 0, leaseMs: 30 });
  const isSilent = async () => (await store.heads()).some((head) => store.isSilent(head));
  await setTimeout(60);
  expect(await isSilent()).toBe(false);
  memory.isAway = true;
  await log.append([opening('a')], []);
  memory.isAway = false;
  await vi.waitFor(async () => expect(await isSilent()).toBe(true), { timeout: PATIENCE_MS, interval: 10 });
  expect(await store.own(run, { takesOver: false })).toMatchObject({ type: 'owned', owner: { epoch: 2 } });
});

test('an owner is certain of its run as long as the engine hears it, and less and less when it does not', async () => {
  const memory = emptyEngine();
  const store = givenStore(memoryEngine(memory), { leaseMs: 60 });
  const created = await store.create(givenRecord(), started);
  if (created.type !== 'created') throw new Error(created.failure.code);
  const owned = await store.own(created.record.run, { takesOver: false });
  if (owned.type !== 'owned') throw new Error(owned.type);
  const uncertainMs = (): number => owned.uncertainMs?.() ?? -1;
  const isOver = async (ms: number): Promise<void> => {
    await vi.waitFor(() => expect(uncertainMs()).toBeGreaterThan(ms), { timeout: PATIENCE_MS, interval: 5 });
  };
  memory.isAway = true;
  await isOver(500);
  memory.isAway = false;
  await vi.waitFor(() => expect(uncertainMs()).toBeLessThan(500), { timeout: PATIENCE_MS, interval: 5 });
  // Another owner: this one will not be certain again.
  await memoryEngine(memory).claim(created.record.run, { key: 'other', who: '{}', leaseMs: 60, replaces: undefined });
  await isOver(500);
});
