import { readdirSync } from 'node:fs';
import { scheduler } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { givenFolder, startProgram, type Program } from './store-processes.given.ts';
import { createdRun, opened, opening, ownedLog } from './store-program.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';

const KILLS = 30;

/** Reads lines until `count` have come, then kills, then reads what had been printed before the kill arrived. */
async function killedAfter(program: Program, count: number): Promise<string | undefined> {
  let last: string | undefined;
  for (let line = 0; line < count; line += 1) last = await program.line();
  await program.kill();
  for (let line = await program.line(); line !== undefined; line = await program.line()) last = line;
  return last;
}

test(
  'what a coordinator acknowledged is there after each of 30 kills, in order and whole',
  async () => {
    const home = givenFolder();
    const store = opened(home);
    const run = createdRun(store);
    store.close();
    const seed = Math.floor(Math.random() * 1e9);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const acknowledged = Number(
        await killedAfter(startProgram('append', home, run), 1 + ((seed + kill * 7919) % 60)),
      );
      const reader = opened(home, 'read');
      const { events, position, failure } = reader.eventsFrom(run, 0);
      reader.close();
      expect(failure, `seed ${seed}`).toBeUndefined();
      expect(position, `seed ${seed}`).toBeGreaterThanOrEqual(acknowledged);
      expect(events.slice(1)).toEqual(Array.from({ length: position - 1 }, (_, index) => opening(index + 1)));
    }
    const last = opened(home);
    expect(ownedLog(last, run).append([opening(0)], [])).toEqual({ type: 'appended' });
    expect(last.ownerOf(run)?.epoch).toBe(KILLS + 1);
    last.close();
  },
  PATIENCE_MS,
);

test(
  'a store that is killed while it is made can be opened and made',
  async () => {
    for (let kill = 0; kill < 12; kill += 1) {
      const home = givenFolder();
      const program = startProgram('create', home);
      await program.line();
      await scheduler.wait(Math.random() * 30);
      const acknowledged = await killedAfter(program, 0);
      const store = opened(home);
      const runs = store.runs().map(({ run }) => run);
      if (acknowledged !== undefined) expect(runs).toContain(acknowledged);
      for (const run of runs) expect(store.eventsFrom(run, 0)).toMatchObject({ position: 1, failure: undefined });
      expect(createdRun(store)).toBe(`e2e-${runs.length + 1}`);
      store.close();
      expect(readdirSync(home).filter((name) => name.startsWith('store-'))).toEqual([]);
    }
  },
  PATIENCE_MS,
);
