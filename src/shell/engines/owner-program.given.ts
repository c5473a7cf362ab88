// A program that owns a run on an engine as soon as it can, and appends to it until it is fenced or ended. It prints a line for
// each thing that it was told.
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RunEvent } from '../../core/engine/event.ts';
import { thisProcess } from '../exec/process.ts';
import { engineStore } from './engine-store.ts';
import { openEngine } from './open-engine.ts';

export const OWNER_PROGRAM = fileURLToPath(import.meta.url);
export const OWNER_LEASE_MS = 1_000;

async function main(url: string, run: string, name: string): Promise<void> {
  const store = engineStore(await openEngine(url, { answerMs: 2_000 }), {
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    process: thisProcess(),
    host: name,
    leaseMs: OWNER_LEASE_MS,
    patienceMs: 60_000,
    pollMs: 100,
  });
  for (;;) {
    const owned = await store.own(run, { takesOver: false });
    if (owned.type !== 'owned') {
      await setTimeout(100);
      continue;
    }
    console.log(`owned ${owned.owner.epoch}`);
    for (let count = 0; ; count += 1) {
      const event: RunEvent = { type: 'task.opened', at: 2, task: `${name}-${count}` };
      const appended = await owned.log.append([event], []);
      console.log(appended.type === 'appended' ? `appended ${event.task}` : appended.type);
      if (appended.type !== 'appended') return await store.close();
      await setTimeout(5);
    }
  }
}

const [, program, url, run, name] = process.argv;
if (program === OWNER_PROGRAM && url !== undefined && run !== undefined && name !== undefined)
  await main(url, run, name);
