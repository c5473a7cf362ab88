// A project with one large run that has ended, for the dashboard: its log comes from the engine in virtual time, and lies in
// a real store.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLOCK } from '../../src/app/local-parts.ts';
import { compile } from '../../src/core/compile/compile.ts';
import { startOf } from '../../src/core/engine/apply/fold.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { NO_HISTORY } from '../../src/core/simulate/estimate.ts';
import { prepare } from '../../src/core/simulate/prepare-run.ts';
import { simulate } from '../../src/core/simulate/simulate-run.ts';
import { openStore } from '../../src/shell/store/open-store.ts';
import { planText } from '../plan-sizes.ts';

export interface LargeRun {
  readonly folder: string;
  readonly events: number;
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
