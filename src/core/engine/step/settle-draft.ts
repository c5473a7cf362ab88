// A draft whose fragment is refused: the findings go back to the same conversation, or the draft fails.
//
// settle-draft/D1. Each refusal counts as an attempt of the step, and its attempts are the rounds of `grow` (P11).
import type { CompiledStep } from '../../compile/compiled.ts';
import { isDraft } from '../../plan/grown-plan.ts';
import type { Result } from '../../protocol/result.ts';
import type { StepOver } from '../../protocol/work-outcome.ts';
import type { RunEvent } from '../event.ts';
import type { Evaluator } from '../evaluator.ts';
import { taskAt, tokenAt } from '../facts.ts';
import type { Claim, State } from '../state.ts';
import { backoffMs } from './backoff.ts';
import { aboutTurn } from './turn-back.ts';

interface Drafted {
  readonly outcome: Pick<StepOver, 'spend' | 'isPartial' | 'conversation'> & { readonly result: Result | undefined };
  readonly claim: Claim;
  readonly evaluator: Evaluator;
  readonly at: number;
}

/** Undefined for a step that drafts nothing, and for a fragment that is not refused. */
export function refuseDraft(
  state: State,
  step: CompiledStep,
  { outcome, claim, evaluator, at }: Drafted,
): RunEvent | undefined {
  const task = taskAt(state, step.task);
  if (!isDraft(task.task)) return undefined;
  const { result } = outcome;
  const judged = evaluator.judge(state, task, result?.response ?? '');
  if (judged.type !== 'refused') return undefined;
  const about = { ...aboutTurn(state, outcome, { claim, at }), reason: 'refused' } as const;
  const { says, cause } = judged;
  const name = `${task.task.path}/${step.step.id}`;
  if (tokenAt(state, step.working).tried < step.step.attemptsMax)
    return {
      type: 'claim.returned',
      ...about,
      counted: true,
      until: at + backoffMs({ seed: state.run.seed, about: name, attempt: claim.attempt }),
      pool: undefined,
      says,
      commit: result?.commit,
    };
  return { type: 'claim.ended', ...about, ending: 'failed', cause, result };
}
