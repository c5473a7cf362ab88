// A run as its store has it: its present plan, and the state folded from its log.
import { compile } from '../core/compile/compile.ts';
import type { Compiled, CompiledTask } from '../core/compile/compiled.ts';
import type { RunEvent } from '../core/engine/event.ts';
import { fold, planIn, startOf } from '../core/engine/apply/fold.ts';
import type { State } from '../core/engine/state.ts';
import { nearest } from '../core/plan/language/nearest-name.ts';
import type { Events, Log, RunRecord } from '../shell/ports/log.ts';
import type { Store } from '../shell/ports/store.ts';
import { Refused } from './refused.ts';

export interface FoldedRun {
  readonly record: RunRecord;
  /** The plan with all amendments. */
  readonly compiled: Compiled;
  /** The plan at the start of the run, which the first events refer to. */
  readonly started: Compiled;
  readonly events: readonly RunEvent[];
  readonly state: State;
  readonly position: number;
}

/** `compiled` is the plan at the start of the run, where the caller has compiled it. */
export function foldRun(store: Store, record: RunRecord, compiled?: Compiled): FoldedRun {
  const { events, position } = eventsFrom(store, record.run, 0);
  const started = compiled ?? compile(startOf(events).plan);
  const state = fold(events, started);
  return { record, compiled: state.compiled, started, events, state, position };
}

/** A log that cannot be read to its end is never taken for a short one. */
export function eventsFrom(store: Store, run: string, position: number, max?: number): Events {
  const read = store.eventsFrom(run, position, max);
  if (read.failure !== undefined) throw new Refused({ code: 'store', failure: read.failure });
  return read;
}

/** A task of the run, by its path. */
export function taskOf({ compiled, record }: FoldedRun, path: string): CompiledTask {
  const index = compiled.indexOf.get(path);
  const task = index === undefined ? undefined : compiled.tasks[index];
  if (task !== undefined) return task;
  const like = nearest(path, compiled.indexOf.keys());
  throw new Refused({ code: 'task-unknown', run: record.run, task: path, like });
}

/** The plan as it is now, and compiled; `first` is the one that the run began with, compiled. */
export function plansIn(log: Pick<Log, 'read'>, known: Compiled | undefined) {
  const [plan, begun] = [planIn(log.read()), startOf(log.read()).plan];
  const first = known ?? compile(begun);
  return { plan, first, compiled: plan === begun ? first : compile(plan) };
}
