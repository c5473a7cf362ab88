// What came of an agent's turn on a conflict.
//
// settle-resolve/Z7. It is tried again within the conflict as often as the step whose agent has it; when that is used
//     up, or cannot help, a person is asked. The task never fails of it: its work is done, it only does not fit yet.
import type { CompiledStep } from '../../compile/compiled.ts';
import type { Reason, Result } from '../../protocol/result.ts';
import type { StepOver } from '../../protocol/work-outcome.ts';
import type { RunEvent } from '../event.ts';
import { ENDED_WELL, endedBy, nameClaim, taskAt, tokenAt } from '../facts.ts';
import { reportedOf } from '../ledger.ts';
import type { Claim, State } from '../state.ts';
import { backoffMs } from './backoff.ts';
import { limitedRest } from './turned-away.ts';
import { remembered } from './turn-back.ts';

interface Settling {
  readonly outcome: StepOver;
  readonly claim: Claim;
  readonly at: number;
}

export function settleResolve(state: State, step: CompiledStep, settling: Settling): RunEvent {
  const { outcome, claim, at } = settling;
  const about = aboutOf(state, settling);
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
      const rest = limitedRest(state, step, { outcome, claim, at });
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
      return { ...goneSince(at), ...about, reason: 'cancelled' };
    case 'lost':
      return { ...goneSince(at), ...about, reason: 'crashed' };
  }
}

const aboutOf = (state: State, { outcome, claim, at }: Settling) => ({
  at,
  ...nameClaim(state, claim),
  spend: reportedOf(claim.reserve, outcome),
  conversation: remembered(claim, outcome.conversation),
});

/** It came to nothing, and that speaks neither for nor against it. */
const goneSince = (at: number) =>
  ({ type: 'claim.returned', counted: false, until: at, pool: undefined, says: undefined }) as const;

/** Letters of why a turn was not taken that the next hears. */
const SAYS_MAX = 2_000;

interface Failing extends Settling {
  readonly result: Result | undefined;
  readonly isRetryable: boolean;
  readonly reason: Reason;
}

function fail(state: State, { step, task: index }: CompiledStep, failing: Failing): RunEvent {
  const { outcome, claim, at, result, isRetryable, reason } = failing;
  const about = aboutOf(state, failing);
  const { tried } = tokenAt(state, taskAt(state, index).places.resolving);
  if (!isRetryable || tried >= step.attemptsMax) return { type: 'claim.asked', ...about, reason, result };
  const rest = backoffMs({ seed: state.run.seed, about: `${outcome.task}/${step.id}`, attempt: claim.attempt });
  const says = result?.response?.slice(0, SAYS_MAX);
  return { type: 'claim.returned', ...about, reason, counted: true, until: at + rest, pool: undefined, says };
}
