// What a command does to one thing that it is about, in words for the person who gave it.
import { isInside } from '../../compile/inside.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import { factsOf } from '../facts.ts';
import type { Claim, State } from '../state.ts';

export interface Clause {
  /** Whether it does anything; if not, the words say why. */
  readonly does: boolean;
  /** Without a full stop. */
  readonly says: string;
}

export const doing = (says: string): Clause => ({ does: true, says });
export const idle = (says: string): Clause => ({ does: false, says });

/** Claims at work that can be stopped and done again, of a task or of the run. */
export function stoppable({ compiled, claims }: State, index: TaskIndex | undefined): readonly Claim[] {
  const these = index === undefined ? undefined : new Set([index]);
  return [...claims.values()].filter(({ type, task, recalled, condemned }) => {
    const isMeant = these === undefined || isInside(compiled, these, task);
    return isMeant && type !== 'merge' && !recalled && condemned === undefined;
  });
}

/** Whether nothing of a task, or of the run, goes on that is not already being ended. */
export function isBeingEnded(state: State, index: TaskIndex | undefined): boolean {
  const { compiled } = state;
  const these = index === undefined ? undefined : new Set([index]);
  return !compiled.tasks.some((task) => {
    const { ended, condemned, openedAt } = factsOf(state, task.index);
    const isOnlyAround = task.task.type === 'subplan' && openedAt !== undefined;
    if (ended !== undefined || condemned !== undefined || isOnlyAround) return false;
    return these === undefined || isInside(compiled, these, task.index);
  });
}
