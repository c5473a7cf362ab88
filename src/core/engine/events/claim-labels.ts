// The texts of claims' events for a reader of the report.
import type { Variant } from '../../plan/json-fields.ts';
import type { ClaimEvent } from '../event.ts';
import { forSeconds, type Label } from './event-fields.ts';

/** A conversation that is carried goes on as if nothing had happened. */
export function movedLabel({
  conversation: moved,
  step,
  task,
  host,
}: Variant<ClaimEvent, 'claim.placed'>): Label | undefined {
  if (moved !== 'anew') return undefined;
  const where = host === undefined ? 'the machine of the coordinator' : host;
  const text = `The step ${step} of ${task} began a new conversation on ${where}: the one before it is on another machine.`;
  return { type: 'conversation', text };
}

const WHAT = { check: 'the check', merge: 'the merge', resolve: 'a turn on a conflict' } as const;

/** An exhausted account is labelled only where no pool closes for it. */
export function returnLabel(event: Variant<ClaimEvent, 'claim.returned'>): Label | undefined {
  const { work, step, task, reason, message, pool, until, unbegunOn } = event;
  const what = work === 'step' ? `the step ${step}` : WHAT[work];
  if (unbegunOn !== undefined)
    return {
      type: 'lost',
      text: `${unbegunOn} could not run ${what} of ${task}: ${message ?? 'it did not say why.'}`,
    };
  if (reason === 'crashed')
    return { type: 'lost', text: `The worker of ${what} of ${task} was lost; it is done again.` };
  if (reason !== 'quota' || pool !== undefined) return undefined;
  return {
    type: 'quota',
    text: `The account of ${task} has no quota ${forSeconds(until, event)}${message === undefined ? '.' : `: ${message}`}`,
  };
}
