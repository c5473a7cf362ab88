// The result of handling a command, and the questions about a run that several commands share.

import { isInside } from '../../compile/compiled.ts';
import { factsOf, taskAt } from '../facts.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { Outcome } from '../outcome.ts';
import type { Claim, State } from '../state.ts';
import type { CommandReply, ReplyNote } from './reply.ts';

export interface Handled {
  readonly outcomes: readonly Outcome[];
  readonly reply: CommandReply;
}

export const accepted = (outcome: Outcome, ...notes: readonly ReplyNote[]): Handled => ({
  outcomes: [outcome],
  reply: { takesEffect: true, notes },
});

export const refused = (...notes: readonly ReplyNote[]): Handled => ({
  outcomes: [],
  reply: { takesEffect: false, notes },
});

/** The effect of a command on one task, or on the run. */
export interface Part {
  /** Whether it has any effect; if not, the note gives the reason. */
  readonly does: boolean;
  readonly note: ReplyNote;
}

export const doing = (note: ReplyNote): Part => ({ does: true, note });
export const idle = (note: ReplyNote): Part => ({ does: false, note });

export const pathOf = (state: State, index: TaskIndex): string => taskAt(state, index).task.path;

/** Running claims that can be stopped and run again, of a task or of the run. */
export function stoppable({ compiled, claims }: State, index: TaskIndex | undefined): readonly Claim[] {
  const these = index === undefined ? undefined : new Set([index]);
  return [...claims.values()].filter(({ work, task, preempting, cancelling }) => {
    const isMeant = these === undefined || isInside(compiled, these, task);
    return isMeant && work !== 'merge' && !preempting && cancelling === undefined;
  });
}

/** Whether all running work of a task, or of the run, is already being cancelled. */
export function isBeingEnded(state: State, index: TaskIndex | undefined): boolean {
  const { compiled } = state;
  const these = index === undefined ? undefined : new Set([index]);
  return !compiled.tasks.some((task) => {
    const { ended, cancelling, openedAt } = factsOf(state, task.index);
    const isOnlyAround = task.task.type === 'subplan' && openedAt !== undefined;
    if (ended !== undefined || cancelling !== undefined || isOnlyAround) return false;
    return these === undefined || isInside(compiled, these, task.index);
  });
}
