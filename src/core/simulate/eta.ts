// When a run is expected to end, and its critical chain of tasks: a simulation from the present state, with estimates from
// this run and earlier ones. The one source of the time left, for the live view, `status` and `explain`.
import type { Compiled, CompiledTask } from '../compile/compiled.ts';
import type { State } from '../engine/state.ts';
import { historyOf } from './history.ts';
import type { PastWork } from './past-work.ts';
import { simulateOn, type ExpectedEnd } from './simulate-on.ts';

/** Learning from the history of a larger plan would cost more time than it saves. */
export const HISTORY_TASKS_MAX = 2_000;

/** The tasks that the end of the run waits for: back from the last to end, always to the need that ends last. */
function criticalChain(compiled: Compiled, { tasks: expected }: ExpectedEnd): readonly string[] {
  const { tasks } = compiled;
  const endOf = (index: number): number => expected.get(tasks[index]?.task.path ?? '')?.endAt ?? -Infinity;
  const last = (indices: readonly number[]): number | undefined => {
    const [first, ...rest] = indices.filter((index) => endOf(index) > -Infinity);
    return first === undefined
      ? undefined
      : rest.reduce((best, each) => (endOf(each) > endOf(best) ? each : best), first);
  };
  const chain: string[] = [];
  let at = last(tasks.flatMap(({ parent, index }) => (parent === undefined ? [index] : [])));
  while (at !== undefined) {
    const task: CompiledTask | undefined = tasks[at];
    if (task === undefined || chain.includes(task.task.path)) break;
    const inside = last(task.children);
    if (inside === undefined) chain.push(task.task.path);
    at = inside ?? last(needsAround(compiled, task));
  }
  return chain.reverse();
}

/** The needs of a task and of the subplans around it. */
function needsAround(compiled: Compiled, { needs, parent }: CompiledTask): readonly number[] {
  const around = parent === undefined ? undefined : compiled.tasks[parent];
  return around === undefined ? needs : [...needs, ...needsAround(compiled, around)];
}

export interface Eta extends ExpectedEnd {
  /** Paths of tasks on the longest path to the end, the next to end first. */
  readonly chain: readonly string[];
}

export interface EtaOptions {
  /** It stays as it is. */
  readonly state: State;
  /** Of the runs before it and, last, of this one; read only where they are of use. */
  readonly past: () => readonly PastWork[];
  readonly now: number;
}

/** Undefined of a plan so large that a simulation would hold up a coordinator in the same process. */
export function etaOf({ state, past, now }: EtaOptions): Eta | undefined {
  const { compiled } = state;
  if (compiled.tasks.length > HISTORY_TASKS_MAX) return undefined;
  const all = past();
  const history = historyOf(compiled, all.slice(0, -1), all.at(-1));
  const expected = simulateOn(state, { now, history });
  return { ...expected, chain: criticalChain(compiled, expected) };
}
