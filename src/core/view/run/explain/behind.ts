// Everything that must end before a task can: what it and the subplans around it need, what those need, and what is in
// them.
import type { CompiledTask } from '../../../compile/compiled.ts';
import { factsOf, taskAt } from '../../../engine/facts.ts';
import type { State } from '../../../engine/state.ts';
import { countAt } from '../../../net/play.ts';

/** Nearest first, each once, without what has ended and without the task itself. */
export function tasksBehind(state: State, task: CompiledTask): readonly CompiledTask[] {
  const found = new Set<number>([task.index]);
  const queue = [task.index];
  for (const index of queue) {
    for (const next of directlyBefore(state, taskAt(state, index))) {
      if (found.has(next) || factsOf(state, next).ended !== undefined) continue;
      found.add(next);
      queue.push(next);
    }
  }
  return queue.slice(1).map((index) => taskAt(state, index));
}

/** What a task waits for itself: its needs and an unopened subplan's while it waits, its children when it is open. */
function directlyBefore(state: State, task: CompiledTask): readonly number[] {
  const before = [...task.children];
  for (let at: CompiledTask | undefined = task; at !== undefined && isWaiting(state, at); at = parentOf(state, at))
    before.push(...at.needs);
  return before;
}

const isWaiting = ({ play }: State, { places }: CompiledTask): boolean => countAt(play, places.waiting) > 0;

const parentOf = (state: State, { parent }: CompiledTask): CompiledTask | undefined =>
  parent === undefined ? undefined : taskAt(state, parent);
