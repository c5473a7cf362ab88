// The response to a failed turn before it counts as a failed attempt: a backoff, another agent, a fresh conversation, a
// repair, an answer. Undefined when the turn is a failure like that of any other step.
//
// turn-back/G2. Each response is bounded: one repair for an answer of the wrong shape, one fresh start for a
//     conversation that is too long, each agent once, overloads in a row as backoff/V1 says. A question that is
//     denied an answer uses up an attempt.
// turn-back/V3. Where the plan asks people, only a person's yes grants a permission, and only for the exact
//     request. A timeout never does (switches/V2), and neither does any other answer.
import type { CompiledStep } from '../../compile/compiled.ts';
import type { Permission, Remembered } from '../../protocol/result.ts';
import type { Decision, RunEvent } from '../event.ts';
import { nameClaim, stepFactsOf, tokenAt } from '../facts.ts';
import { reportedOf } from '../ledger.ts';
import { takenUp } from '../owed/taken-up.ts';
import type { OutcomeOf, StepOver } from '../../protocol/work-outcome.ts';
import type { Claim, State } from '../state.ts';
import { escalates, isCut, isOfProvider } from '../apply/turn-facts.ts';
import { hasAnother, hasStronger } from '../decide/choose-agent.ts';
import { OVERLOADED_MAX, overloadedBackoff } from './backoff.ts';
import type { Decided } from '../outcome.ts';

interface Turned<Type extends 'failed' | 'asked'> {
  readonly outcome: OutcomeOf<Type>;
  readonly claim: Claim;
  readonly at: number;
}

type Spent = Pick<StepOver, 'spend' | 'isPartial' | 'conversation'>;

/** The part that every event about the end of a turn has: the claim, its cost and its conversation. */
export function aboutTurn(state: State, outcome: Spent, { claim, at }: { readonly claim: Claim; readonly at: number }) {
  const { agent } = claim;
  const memory = outcome.conversation;
  const conversation: Remembered | undefined =
    memory === undefined || agent === undefined ? undefined : { agent, ...memory };
  return { at, ...nameClaim(state, claim), spend: reportedOf(claim.reserve, outcome), conversation };
}

export function turnBack(state: State, step: CompiledStep, turned: Turned<'failed'>): RunEvent | undefined {
  const { outcome, claim, at } = turned;
  const { reason, result } = outcome;
  if (step.step.type !== 'prompt') return undefined;
  const facts = stepFactsOf(state, step);
  const back = {
    type: 'claim.returned',
    ...aboutTurn(state, outcome, { claim, at }),
    reason,
    counted: false,
    until: at,
    pool: undefined,
  } as const;
  if (reason === 'output' && facts.goesOn?.type !== 'output')
    return { ...back, says: result?.response ?? '', commit: result?.commit };
  const left = { ...goneOnWith(outcome), message: result?.response };
  if (reason === 'overloaded')
    return facts.rejections + 1 < OVERLOADED_MAX
      ? { ...back, ...left, ...overloadedBackoff(state, step, { claim, at }) }
      : undefined;
  // A full context is for a stronger agent, where there is one.
  const isForStronger = escalates(step, reason) && hasStronger(state, step);
  if (isOfProvider(reason) && !isForStronger && hasAnother(state, step, claim.agent)) return { ...back, ...left };
  if (reason === 'context' && takenUp(state, step, claim) !== undefined) return back;
  return undefined;
}

/** The prompt for an agent that was interrupted during its work, when it may continue. */
const GO_ON =
  'What you have done so far is still there: look at it, and go on where you stopped, to the end of what you were asked.';
const BY_PROVIDER = `You were broken off by your provider, and may go on now. ${GO_ON}`;
const CUT_OFF = `You were cut off before you came to your end. ${GO_ON}`;

/** What an interrupted turn leaves to the next. */
export type LeftForNext = Pick<Extract<RunEvent, { type: 'claim.returned' }>, 'says' | 'commit'>;

/** A turn with some work continues from it; a turn without any gets the same prompt again. */
export function goneOnWith(outcome: OutcomeOf<'failed' | 'limited' | 'stopped'>): LeftForNext {
  if (outcome.hasWorked !== true) return {};
  const isCutOff = outcome.type === 'stopped' || (outcome.type === 'failed' && isCut(outcome.reason));
  return { says: isCutOff ? CUT_OFF : BY_PROVIDER, commit: outcome.result?.commit };
}

/** The prompt for an agent whose question gets no answer. */
const DECIDE_YOURSELF =
  'Nobody can answer while this runs. Decide for yourself, with what fits the task best, say what you decided and why, ' +
  'and go on to the end without asking.';

/** An agent asks: a person answers, or the agent must decide alone. An amended plan may no longer allow questions. */
export function settleAsked(state: State, step: CompiledStep, asked: Turned<'asked'>): RunEvent | undefined {
  const { outcome, claim, at } = asked;
  const { question, permission, result } = outcome;
  const about = aboutTurn(state, outcome, { claim, at });
  const { questions, permissions } = state.compiled.plan;
  const { policy, timeoutMs } = permission === undefined ? questions : permissions;
  if (policy === 'gate' && step.asking !== undefined)
    return { type: 'claim.asked', ...about, reason: undefined, result, question, permission, until: at + timeoutMs };
  if (tokenAt(state, step.working).tried >= step.step.attemptsMax) return undefined;
  return {
    type: 'claim.returned',
    ...about,
    reason: 'asked',
    counted: true,
    until: at,
    pool: undefined,
    says:
      permission === undefined
        ? `${DECIDE_YOURSELF} You asked: ${question}`
        : tellingOf(permission, policy === 'allow'),
    commit: result.commit,
  };
}

/** The text for the agent, and the decision to record. */
export function decidedOn(
  permission: Permission,
  decided: Decided,
  words: string,
): Pick<Extract<RunEvent, { type: 'claim.answered' }>, 'says' | 'decision'> {
  const isAllowed = decided !== 'no';
  const decision: Decision = { key: permission.key, isAllowed, isForTask: decided === 'always' };
  return { says: `${tellingOf(permission, isAllowed)}${words === '' ? '' : `\n${words}`}`, decision };
}

/** The text for the agent about its permission request, when it continues. */
function tellingOf({ tool, about }: Permission, isAllowed: boolean): string {
  const what = about === '' ? tool : `${tool}: ${about}`;
  return isAllowed
    ? `You asked to use ${what}\nThat is allowed. Do it, and go on to the end of what you were asked.`
    : `You asked to use ${what}\nThat is refused. Do not try it again, nor the same thing in another way; go on without it as well as you can, and say what you had to leave out.`;
}
