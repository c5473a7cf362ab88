// A run on its way from one plan to another: the state under the first, the state under the second, and who is in both.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { State } from '../state.ts';

/** A task of both plans, which stands in the second as it stood in the first. */
export interface Kept {
  readonly from: CompiledTask;
  readonly to: CompiledTask;
}

export interface Carrying {
  readonly old: State;
  readonly next: State;
  readonly kept: readonly Kept[];
  /** By index in the old plan. */
  readonly keptFrom: ReadonlyMap<TaskIndex, Kept>;
}
