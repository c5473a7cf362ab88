// Stores over an engine, for the contract of stores: each ends when the process that it was opened for has died.
import { onTestFinished } from 'vitest';
import { isAlive } from '../exec/process.ts';
import type { Engine } from '../ports/engine.ts';
import type { Disk } from '../store/store-contract.given.ts';
import { systemClock } from '../store/store.given.ts';
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
