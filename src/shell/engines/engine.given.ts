// Stores over an engine, for the contract of stores: each ends when the process that it was opened for has died.
import { onTestFinished } from 'vitest';
import { isAlive } from '../exec/process.ts';
import type { Engine } from '../ports/engine.ts';
import type { Disk } from '../store/store-contract.given.ts';
import { givenRecord, started } from '../store/store.given.ts';
import { systemClock } from '../loop/steady-clock.ts';
import { engineStore, type EngineStore } from './engine-store.ts';
import type { EngineSettings } from './engine-calls.ts';

export const givenSettings = (settings: Partial<EngineSettings> = {}): EngineSettings => ({
  clock: systemClock,
  process: { pid: process.pid, startedAt: 'now' },
  host: 'here',
  leaseMs: 1_000,
  patienceMs: 30_000,
  pollMs: 10,
  ...settings,
});

export function givenStore(engine: Engine, settings: Partial<EngineSettings> = {}): EngineStore {
  const store = engineStore({ ...engine, close: () => Promise.resolve() }, givenSettings(settings));
  onTestFinished(() => store.close());
  return store;
}

export const diskOver =
  (engine: Engine): Disk =>
  (process) => {
    const store = givenStore(engine, { process });
    const watching = setInterval(() => {
      if (!isAlive(process)) void store.close();
    }, 10);
    onTestFinished(() => clearInterval(watching));
    return store;
  };

/** Opened by its first call, because a contract is given its store without waiting. */
export function laterEngine(open: () => Promise<Engine>): Engine {
  let opening: Promise<Engine> | undefined;
  const opened = (): Promise<Engine> => (opening ??= open());
  return {
    address: 'later',
    records: async () => await (await opened()).records(),
    record: async (...given) => await (await opened()).record(...given),
    heads: async () => await (await opened()).heads(),
    head: async (...given) => await (await opened()).head(...given),
    create: async (...given) => await (await opened()).create(...given),
    read: async (...given) => await (await opened()).read(...given),
    post: async (...given) => await (await opened()).post(...given),
    replyTo: async (...given) => await (await opened()).replyTo(...given),
    commands: async (...given) => await (await opened()).commands(...given),
    claim: async (...given) => await (await opened()).claim(...given),
    beat: async (...given) => await (await opened()).beat(...given),
    release: async (...given) => await (await opened()).release(...given),
    append: async (...given) => await (await opened()).append(...given),
    belongsTo: async (...given) => await (await opened()).belongsTo(...given),
    close: () => Promise.resolve(),
  };
}

export async function givenEngineRun(engine: Engine): Promise<string> {
  const created = await givenStore(engine).create(givenRecord(), started);
  if (created.type !== 'created') throw new Error(JSON.stringify(created.failure));
  return created.record.run;
}
