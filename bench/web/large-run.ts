// A project with one large run that has ended, for the dashboard: its log comes from the engine in virtual time, and lies in
// a real store.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLOCK } from '../../src/app/local-parts.ts';
import { compile } from '../../src/core/compile/compile.ts';
import { startOf } from '../../src/core/engine/apply/fold.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { NO_HISTORY } from '../../src/core/simulate/estimate.ts';
import { prepare } from '../../src/core/simulate/prepare-run.ts';
import { simulate } from '../../src/core/simulate/simulate-run.ts';
import { ATTEMPT_FILES, attemptFolder } from '../../src/shell/host/attempt-folder.ts';
import { openStore } from '../../src/shell/store/open-store.ts';
import { planText } from '../plan-sizes.ts';

export interface LargeRun {
  readonly folder: string;
  readonly run: string;
  readonly events: number;
  /** A task that printed a hundred megabytes; the last line is `OUTPUT_END`. */
  readonly talkative: string;
  /** Appends the events that were held back, one after the other. */
  readonly appendNext: () => boolean;
  readonly close: () => void;
}

/** So many events are left for the figure of an event on its way to the screen. */
const HELD_BACK = 40;

export function makeLargeRun(tasks: number): LargeRun {
  const { plan } = parsePlan(planText(tasks), { file: 'plan.yaml' });
  if (plan === undefined) throw new Error('The plan of the bench is wrong.');
  const compiled = compile(plan);
  const given = { history: NO_HISTORY, seed: 1 };
  const { order } = prepare(compiled, given);
  const { events } = simulate(compiled, order, { ...given, spread: 0.3, failureShare: 0.05, endsWell: true });
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-web-'));
  const opened = openStore(join(folder, '.heddle'), { mode: 'write', clock: CLOCK });
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  const { store } = opened;
  const record = { createdAt: Date.now(), name: plan.name, file: 'plan.yaml', source: planText(tasks) };
  const created = store.create(record, startOf(events));
  if (created.type === 'failed') throw new Error(created.failure.code);
  const owned = store.own(created.record.run, { takesOver: false });
  if (owned.type !== 'owned') throw new Error(owned.type);
  owned.log.append(events.slice(1, -HELD_BACK), []);
  const left = events.slice(-HELD_BACK);
  return {
    folder,
    run: created.record.run,
    talkative: writeOutput(folder, created.record.run, events),
    events: events.length - HELD_BACK,
    appendNext: () => {
      const next = left.shift();
      if (next === undefined) return false;
      return owned.log.append([next], []).type === 'appended';
    },
    close: () => {
      owned.release();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const OUTPUT_END = 'The last line of a hundred megabytes.';
const OUTPUT_BYTES = 100 * 1024 * 1024;

/** The output of the first step that the log has; returns its task. */
function writeOutput(folder: string, run: string, events: readonly RunEvent[]): string {
  const claim = events.find((event) => event.type === 'claim.made' && event.work === 'step');
  if (claim?.type !== 'claim.made') throw new Error('The run of the bench has no step.');
  const place = attemptFolder(join(folder, '.heddle'), run, claim);
  mkdirSync(place, { recursive: true });
  const file = openSync(join(place, ATTEMPT_FILES.output), 'w');
  const line = `${'A line of output, as a test runner prints it. '.repeat(2)}\n`;
  const block = line.repeat(Math.ceil((1024 * 1024) / line.length));
  for (let written = 0; written < OUTPUT_BYTES; written += block.length) writeSync(file, block);
  writeSync(file, OUTPUT_END);
  closeSync(file);
  return claim.task;
}
