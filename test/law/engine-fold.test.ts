// P1: the log is the only input. Its fold depends neither on the process nor on the place nor on the time.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { openStore } from '../../src/shell/store/open-store.ts';
import type { Store } from '../../src/shell/ports/store.ts';
import { amendCommand, planAfter } from './amended-plan.given.ts';
import { ANY, GROWING, habits, plan, shuffled } from './engine-laws.given.ts';
import { randomPlanText } from './engine-plans.given.ts';
import { play, type Played } from './engine-world.given.ts';
import { FOLD_ELSEWHERE, foldedIn, textOf } from './fold-elsewhere.given.ts';

const LOGS = 60;

/** Runs of plans that change, with random priorities that cannot be recomputed. */
function playedWith(seed: number): Played {
  const kind = seed % 2 === 0 ? GROWING : ANY;
  const compiled = plan(seed, kind);
  const first = randomPlanText(seed, kind);
  return play(
    compiled,
    habits(seed, {
      order: shuffled(compiled, seed),
      meddleShare: 0.2,
      asks: (state, random, log) =>
        random.happens(0.3) ? amendCommand(state, random, { resizes: true, before: planAfter(log, first) }) : undefined,
    }),
  );
}

function openedStore(home: string): Store {
  const opened = openStore(home, { mode: 'write', clock: { now: () => Date.now(), monotonic: () => 0 } });
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  return opened.store;
}

/** The id that the run gets. */
function kept(store: Store, name: string, log: readonly RunEvent[]): string {
  const [started, ...rest] = log;
  if (started === undefined) throw new Error('A log has a first event.');
  const created = store.create({ createdAt: 1, name, file: 'plan.yaml', source: '' }, started);
  if (created.type === 'failed') throw new Error(created.failure.code);
  const owned = store.own(created.record.run, { takesOver: false });
  if (owned.type !== 'owned') throw new Error(owned.type);
  expect(owned.log.append(rest, [])).toEqual({ type: 'appended' });
  owned.release();
  return created.record.run;
}

/** Gives the first difference only; states are long. */
function expectSame(folded: readonly string[], states: readonly string[]): void {
  expect(folded).toHaveLength(states.length);
  states.forEach((state, seed) => {
    const other = folded[seed] ?? '';
    const at = [...state].findIndex((letter, index) => letter !== other[index]);
    const around = (text: string): string => text.slice(Math.max(0, at - 80), at + 80);
    if (state !== other) expect(`${seed}: ${around(other)}`).toBe(`${seed}: ${around(state)}`);
  });
}

/** The same events with longer durations. */
const slower = (log: readonly RunEvent[]): readonly RunEvent[] =>
  log.map((event, index) => ({ ...event, at: event.at + index * 60_000 }));

test('one log gives one state, in any process, folder, time zone, language and year, beside any other runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-fold-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const alone = join(folder, 'alone', '.heddle');
  const crowded = join(folder, 'with a history', 'of others', '.heddle');
  const played = Array.from({ length: LOGS }, (_, seed) => playedWith(seed + 1));
  const stores = { alone: openedStore(alone), crowded: openedStore(crowded) };
  const ids = played.map(({ log }) => ({
    alone: kept(stores.alone, 'given', log),
    // The other folder has runs of the same plan with other durations before and after it.
    crowded: [kept(stores.crowded, 'given', slower(log)), kept(stores.crowded, 'given', log)][1] ?? '',
  }));
  stores.alone.close();
  stores.crowded.close();

  const here = played.map(({ state }) => textOf(state));
  expectSame(
    foldedIn(
      alone,
      ids.map((id) => id.alone),
    ),
    here,
  );

  const words = [FOLD_ELSEWHERE, crowded, String(40 * 365 * 24 * 3_600_000), ...ids.map((id) => id.crowded)];
  const { stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  });
  expect(stderr).toBe('');
  expectSame(stdout.split('\n'), here);
  const amendments = played.flatMap(({ log }) => log.filter(({ type }) => type === 'plan.amended'));
  expect(amendments.length).toBeGreaterThan(LOGS / 4);
  const growths = played.flatMap(({ log }) => log.filter(({ type }) => type === 'plan.grown'));
  expect(growths.length).toBeGreaterThan(LOGS / 10);
});
