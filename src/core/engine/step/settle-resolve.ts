// Settles the outcome of an agent's turn on a conflict.
//
// settle-resolve/Z7. Within a conflict a turn is retried as often as the step of its agent; when the attempts are used
//     up, or cannot help, a person is asked. The task never fails by a conflict: its work is done, only not merged yet.
import type { CompiledStep } from '../../compile/compiled.ts';
import type { Reason, Result } from '../../protocol/result.ts';
import type { StepOver } from '../../protocol/work-outcome.ts';
import type { RunEvent } from '../event.ts';
import { ENDED_WELL, endedBy, taskAt, tokenAt } from '../facts.ts';
import type { Claim, State } from '../state.ts';
import { backoffMs, limitedBackoff } from './backoff.ts';
import { aboutTurn } from './turn-back.ts';

interface Settling {
  readonly outcome: StepOver;
  readonly claim: Claim;
  readonly at: number;
}

export function settleResolve(state: State, step: CompiledStep, settling: Settling): RunEvent {
  const { outcome, claim, at } = settling;
  const about = aboutTurn(state, outcome, settling);
  const result = 'result' in outcome ? outcome.result : undefined;
  if (claim.cancelling?.reason === 'cost') return { type: 'claim.asked', ...about, reason: 'cost', result };
  if (claim.cancelling !== undefined) return { type: 'claim.ended', ...about, ...endedBy(claim.cancelling), result };
  switch (outcome.type) {
    case 'finished':
      if (outcome.result.ok) return { type: 'claim.ended', ...about, ...ENDED_WELL, result };
      return fail(state, step, { ...settling, result, isRetryable: true, reason: 'failed' });
    case 'failed':
      return fail(state, step, { ...settling, result, isRetryable: !outcome.isFinal, reason: outcome.reason });
    case 'asked':
      return fail(state, step, { ...settling, result, isRetryable: false, reason: 'asked' });
    case 'limited': {
      const rest = limitedBackoff(state, step, { outcome, claim, at });
      const reason = outcome.by ?? 'quota';
      return {
        type: 'claim.returned',
        ...about,
        reason,
        counted: false,
        ...rest,
        message: outcome.message,
        says: undefined,
      };
    }
    case 'stopped':
      return { ...goneSince(at), ...about, reason: outcome.by ?? 'cancelled' };
    case 'lost':
      return { ...goneSince(at), ...about, reason: 'crashed' };
  }
}

/** The turn was lost or stopped; that counts neither for nor against the work. */
const goneSince = (at: number) =>
  ({ type: 'claim.returned', counted: false, until: at, pool: undefined, says: undefined }) as const;

/** Maximum number of characters of the reason that the next turn gets. */
const SAYS_MAX = 2_000;

interface Failing extends Settling {
  readonly result: Result | undefined;
  readonly isRetryable: boolean;
  readonly reason: Reason;
}

function fail(state: State, { step, task: index }: CompiledStep, failing: Failing): RunEvent {
  const { outcome, claim, at, result, isRetryable, reason } = failing;
  const about = aboutTurn(state, outcome, failing);
  const { tried } = tokenAt(state, taskAt(state, index).places.resolving);
  if (!isRetryable || tried >= step.attemptsMax) return { type: 'claim.asked', ...about, reason, result };
  const rest = backoffMs({ seed: state.run.seed, about: `${outcome.task}/${step.id}`, attempt: claim.attempt });
  const says = result?.response?.slice(0, SAYS_MAX);
  return { type: 'claim.returned', ...about, reason, counted: true, until: at + rest, pool: undefined, says };
}
