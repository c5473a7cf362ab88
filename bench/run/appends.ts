// How many events a second are appended so that each append survives a loss of power, alone and in groups, beside the
// same bytes written to a plain file and forced to the disk after each group.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { writeEvent } from '../../src/core/engine/events/event-format.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { startOf } from '../../src/core/engine/apply/fold.ts';
import { given } from '../../src/core/engine/run.given.ts';
import { openStore } from '../../src/shell/store/open-store.ts';
import type { LocalLog } from '../../src/shell/ports/log.ts';
import { systemClock } from '../../src/shell/loop/steady-clock.ts';
import { makeProject, median } from './heddle.ts';

export interface AppendFigure {
  readonly group: number;
  readonly eventsPerSecond: number;
  readonly rawPerSecond: number;
}

const GROUPS = [1, 8, 64] as const;
const APPENDS = 200;
const ROUNDS = 5;

export function benchAppends(): readonly AppendFigure[] {
  const folder = makeProject('');
  const log = openLog(join(folder, '.heddle'));
  return GROUPS.map((group) => {
    const events = Array.from({ length: group }, (_, index) => eventNumber(index));
    const bytes = events.map((event) => `${writeEvent(event)}\n`).join('');
    const file = openSync(join(folder, `raw-${group}`), 'a');
    const rounds = Array.from({ length: ROUNDS }, () => ({
      // One after the other, so that a busy disk disturbs both alike.
      raw: perSecond(group, () => {
        writeSync(file, bytes);
        fdatasyncSync(file);
      }),
      ours: perSecond(group, () => {
        const appended = log.append(events, []);
        if (appended.type !== 'appended') throw new Error(`The log was not written: ${appended.type}.`);
      }),
    }));
    closeSync(file);
    return {
      group,
      eventsPerSecond: median(rounds.map(({ ours }) => ours)),
      rawPerSecond: median(rounds.map(({ raw }) => raw)),
    };
  });
}

/** Of the size that most events of a run have. */
const eventNumber = (index: number): RunEvent => ({
  type: 'claim.made',
  work: 'step',
  at: 1_800_000_000_000 + index,
  task: `reviews.security-${index}`,
  step: 'review',
  attempt: 1,
  reserve: { usd: 0.25, tokens: 100_000 },
});

function perSecond(group: number, append: () => void): number {
  const begin = performance.now();
  for (let count = 0; count < APPENDS; count += 1) append();
  return (APPENDS * group * 1000) / (performance.now() - begin);
}

function openLog(home: string): LocalLog {
  const opened = openStore(home, { mode: 'write', clock: systemClock });
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  const record = { createdAt: 1, name: 'bench', file: 'plan.yaml', source: '' };
  const created = opened.store.create(record, startOf(given('a: { run: x }').log));
  if (created.type === 'failed') throw new Error(created.failure.code);
  const owned = opened.store.own(created.record.run, { takesOver: false });
  if (owned.type !== 'owned') throw new Error(`The run cannot be owned: ${owned.type}.`);
  process.once('exit', () => {
    owned.release();
    opened.store.close();
  });
  return owned.log;
}

export function printAppends(figures: readonly AppendFigure[]): void {
  console.log('\nEvents appended durably, beside the same bytes and fdatasync on a plain file');
  console.table(
    figures.map(({ group, eventsPerSecond, rawPerSecond }) => ({
      'events at once': group,
      'events/s': Math.round(eventsPerSecond),
      'plain file': Math.round(rawPerSecond),
      ratio: Number((eventsPerSecond / rawPerSecond).toFixed(2)),
    })),
  );
}
