// What amending the plan of a run does, in words.
import type { AmendCommand, Expected } from '../command.ts';
import { amendmentOf, type Amendment } from '../amend/amendment.ts';
import { expectedOf, isAsShown } from '../amend/decide-amend.ts';
import { readPlan } from '../amend/read-plan.ts';
import type { State } from '../state.ts';
import type { Answering } from './answer-question.ts';
import { areOf, listed, stepsOf } from './listed.ts';

export function amendByHand(state: State, command: AmendCommand): Answering {
  const compiled = readPlan(command.plan);
  if (compiled === undefined) return { outcome: undefined, says: 'The changed plan cannot be read' };
  const amendment = amendmentOf(state, compiled);
  if (amendment.refused.length > 0) return { outcome: undefined, says: amendment.refused.join('. ') };
  const is = expectedOf(state, amendment);
  if (!isAsShown(is, command.expects))
    return { outcome: undefined, says: `${MOVED_ON}: ${movedOn(is, command.expects)}` };
  return { outcome: command, says: `${doneWords(is)}${stoppedWords(amendment)}` };
}

/** How the answer begins to a person who agreed to what is not so any more. */
export const MOVED_ON = 'The run has moved on since the changes were shown, and nothing was done';

function movedOn(is: Expected, shown: Expected): string {
  const verbs = { restarted: 'begin anew', added: 'be added', cancelled: 'be cancelled' } as const;
  const parts = (['restarted', 'added', 'cancelled'] as const).flatMap((verb) => {
    const [more, fewer] = [without(is[verb], shown[verb]), without(shown[verb], is[verb])];
    return [
      ...(more.length === 0 ? [] : [`${listed(more)} would ${verbs[verb]} too`]),
      ...(fewer.length === 0 ? [] : [`${listed(fewer)} would not ${verbs[verb]} any more`]),
    ];
  });
  return parts.join('; ');
}

const without = (all: readonly string[], others: readonly string[]): readonly string[] =>
  all.filter((each) => !others.includes(each));

function doneWords({ restarted, added, cancelled }: Expected): string {
  const parts = [
    restarted.length === 0 ? undefined : `${listed(restarted)} begin${restarted.length === 1 ? 's' : ''} anew`,
    added.length === 0 ? undefined : `${listed(added)} ${areOf(added.length)} added`,
    cancelled.length === 0 ? undefined : `${listed(cancelled)} ${areOf(cancelled.length)} cancelled`,
  ].filter((part) => part !== undefined);
  return `The plan is amended${parts.length === 0 ? ': every task is kept' : `: ${parts.join('; ')}`}`;
}

const stoppedWords = ({ toStop }: Amendment): string =>
  toStop.length === 0 ? '' : `; ${stepsOf(toStop.length)} at work ${areOf(toStop.length)} stopped first`;
