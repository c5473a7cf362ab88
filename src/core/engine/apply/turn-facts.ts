// Applies the events of agents' turns to facts other than tokens: conversations, excluded agents, closed and throttled
// pools, and repeated failures.
//
// turn-facts/T1. All of these facts are a fold of the log, so a restarted run takes up the same conversations and keeps
//     the same backoffs.
import type { CompiledStep } from '../../compile/compiled.ts';
import { isDraft } from '../../plan/grown-plan.ts';
import type { Fallback } from '../../plan/plan.ts';
import { isReadOnly } from '../../plan/result-step.ts';
import type { Reason } from '../../protocol/result.ts';
import type { RunEvent } from '../event.ts';
import { factsOf, stepFactsOf, taskAt } from '../facts.ts';
import { releasePrecedence } from '../deferred.ts';
import type { Claim, State } from '../state.ts';
import type { Barred, GoingOn, Located } from '../step-facts.ts';
import type { OverEvent } from '../events/claim-events.ts';

/** The agent of a step that names only one. */
export const agentOfStep = ({ step }: CompiledStep): string | undefined =>
  step.type === 'prompt' ? step.agent : undefined;

/** The provider rejects the agent's account for a while. */
export const isProviderLimit = (reason: Reason | undefined): boolean => reason === 'quota' || reason === 'rate_limit';

type Returned = Extract<RunEvent, { type: 'claim.returned' }>;

/** The effect of a returned turn on later turns. */
export function noteReturned(
  state: State,
  step: CompiledStep,
  { event, claim }: { event: Returned; claim: Claim },
): void {
  if (event.unbegunOn !== undefined) return;
  const facts = stepFactsOf(state, step);
  const { reason, until, pool } = event;
  const conversation = locate(event, claim);
  noteConversation(state, step, conversation);
  facts.lost = reason === 'crashed' && !event.counted ? facts.lost + 1 : 0;
  facts.rejections = isProviderLimit(reason) || reason === 'overloaded' ? facts.rejections + 1 : 0;
  if (isProviderLimit(reason)) noteExhausted(state, { pool, until, agent: claim.agent });
  // The agent that a deferred step was left to may have changed.
  if (step.step.type === 'prompt' && step.step.fallbacks.length > 0) releasePrecedence(state);
  if (reason === 'overloaded' && pool !== undefined) noteOverloaded(state, pool, event.at);
  if (event.work === 'resolve') return;
  const next = goesOnAfter(event);
  if (next !== undefined) {
    facts.goesOn = next;
    facts.conversation = conversation;
  }
  noteLeft(state, step, event);
  noteDiscards(state, step);
  // Some agent programs forget conversations and then fail without a message.
  if (reason === 'context' || reason === 'failed') facts.startsFresh = true;
  if (claim.agent !== undefined && isTurnedToAnother(step, event))
    facts.barred = barring(facts.barred, claim.agent, event);
  if (event.counted && escalates(step, reason))
    Object.assign(facts, { escalations: facts.escalations + 1, goesOn: undefined });
}

/** Failures of the work that a stronger agent may not have. A failed check is another one. */
const OF_STRENGTH: ReadonlySet<Reason> = new Set(['context', 'turns', 'output']);

/** Whether another attempt after such a failure is for the next agent of `escalate`. */
export const escalates = ({ step }: CompiledStep, reason: Reason): boolean =>
  step.type === 'prompt' && step.escalation !== undefined && OF_STRENGTH.has(reason);

/** What a read-only turn wrote stays in the sandbox until the next claim starts clean. */
export function noteDiscards(state: State, { task, step }: CompiledStep): void {
  if (isReadOnly(step)) Object.assign(factsOf(state, task), { hasLeftovers: true, hasDiscards: true });
}

/**
 * What the attempt left: a commit to continue from, files that could not be saved and that an agent is asked to repair, or
 * leftovers. A command repairs nothing, so it begins anew.
 */
function noteLeft(state: State, step: CompiledStep, { commit, reason, says }: Returned): void {
  const facts = factsOf(state, step.task);
  const isUnsaved = reason === 'unsaved' && step.step.type === 'prompt';
  facts.tip = commit ?? facts.tip;
  facts.hasLeftovers ||= commit === undefined && !isUnsaved;
  stepFactsOf(state, step).unsaved = isUnsaved ? says : undefined;
}

/** Of two reports on one account, the one with the longer backoff counts. */
function noteExhausted(
  { exhausted, exhaustedAgents }: State,
  { pool, until, agent }: Pick<Returned, 'pool' | 'until'> & Pick<Claim, 'agent'>,
): void {
  if (pool !== undefined) exhausted.set(pool, Math.max(until, exhausted.get(pool) ?? until));
  else if (agent !== undefined) exhaustedAgents.set(agent, Math.max(until, exhaustedAgents.get(agent) ?? until));
}

/** The next turn continues where this turn stopped, with the reason why this turn was not accepted. */
function goesOnAfter({ reason, says }: Returned): GoingOn | undefined {
  if (says === undefined) return undefined;
  if (reason === 'output') return { type: 'output', says, asked: undefined };
  const goesOn = reason === 'asked' || isOfProvider(reason) || isCut(reason);
  return goesOn ? { type: 'answer', says, asked: undefined } : undefined;
}

/** The connection broke, the program died, or the lease of its host ran out, during a turn. */
export const isCut = (reason: Reason): boolean => reason === 'cut_off' || reason === 'crashed' || reason === 'lease';

/** The end of the backoff of an agent that is excluded permanently. */
export const FOR_GOOD = Number.MAX_SAFE_INTEGER;

/** Failures of the provider or the agent, not of the work: another agent may succeed. */
const OF_PROVIDER: ReadonlySet<Reason> = new Set([
  'quota',
  'rate_limit',
  'overloaded',
  'authentication',
  'bad_request',
  'context',
  'refused',
  'permission',
  'cut_off',
]);

export const isOfProvider = (reason: Reason): boolean => OF_PROVIDER.has(reason);

/** A counted attempt is retried by the same agent: no other agent was available to take it over. */
export const isTurnedToAnother = ({ step }: CompiledStep, { reason, counted, unbegunOn }: Returned): boolean =>
  step.type === 'prompt' &&
  step.fallbacks.some(takesOver) &&
  isOfProvider(reason) &&
  !counted &&
  unbegunOn === undefined;

/** Whether the agent may have the step when a provider rejects another. */
export const takesOver = ({ isOnlyEscalation }: Fallback): boolean => isOnlyEscalation !== true;

/** An agent that backs off is excluded until then, any other agent as long as the step is retried. */
function barring(barred: readonly Barred[], agent: string, { reason, until }: Returned): readonly Barred[] {
  const isForNow = isProviderLimit(reason) || reason === 'overloaded';
  const others = barred.filter((each) => each.agent !== agent);
  return [...others, { agent, until: isForNow ? until : FOR_GOOD }];
}

/** The conversation at the end of a turn, on the machine of its claim. */
export function locate(event: OverEvent, { host }: Claim): Located | undefined {
  const { work, task, step, attempt, conversation } = event;
  return conversation === undefined ? undefined : { ...conversation, host, by: { work, task, step, attempt } };
}

/**
 * Some programs count usage over all turns of a conversation, failed ones too: the next turn needs the last count, and the
 * files of the last turn.
 */
export function noteConversation(state: State, { task, step }: CompiledStep, latest: Located | undefined): void {
  if (latest === undefined) return;
  const from = step.type === 'prompt' && step.resumeTask !== undefined ? step.resumeTask : undefined;
  const other = from === undefined ? undefined : state.compiled.indexOf.get(from);
  const others = other === undefined ? [] : factsOf(state, other).steps;
  for (const facts of [...factsOf(state, task).steps, ...others])
    if (facts.conversation?.id === latest.id) facts.conversation = { ...latest, agent: facts.conversation.agent };
}

/** How long a pool keeps its effective limit before the limit is raised. */
export const RESTORE_AFTER_MS = 30_000;
/** Turns that run at the same time each report one and the same overload. */
const ONE_OVERLOAD_MS = 10_000;

function noteOverloaded(state: State, pool: string, at: number): void {
  const { compiled, throttled } = state;
  const known = throttled.get(pool);
  const limit = known?.limit ?? compiled.pools.get(pool)?.size ?? 0;
  const isSame = known !== undefined && at < known.until - RESTORE_AFTER_MS + ONE_OVERLOAD_MS;
  if (isSame || lowerLimit(state, pool, limit) >= limit) return;
  throttled.set(pool, { limit, until: known?.until ?? at, isNews: true });
}

/** Half of the current limit, but never less than one step takes. */
export function lowerLimit({ compiled }: State, pool: string, limit: number): number {
  let held = 1;
  for (const { steps } of compiled.tasks)
    for (const { step } of steps)
      for (const demand of step.pools) if (demand.pool === pool) held = Math.max(held, demand.tokens);
  return Math.max(held, Math.floor(limit / 2));
}

type Limit = Extract<RunEvent, { type: 'pool.throttled' | 'pool.restored' }>;

export function setLimit(state: State, { pool, limit, until }: Limit): void {
  const { pools } = state.compiled;
  if (limit >= (pools.get(pool)?.size ?? 0)) state.throttled.delete(pool);
  else state.throttled.set(pool, { limit, until, isNews: false });
  releasePrecedence(state);
}

type Ended = Extract<RunEvent, { type: 'claim.ended' }>;

/** Records how a turn failed, to detect the same failure in other tasks. */
export function noteRepeatedFailure(
  state: State,
  step: CompiledStep,
  { event, claim }: { event: Ended; claim: Claim },
): void {
  const { agent } = claim;
  // A fragment that breaks the limits of a plan says nothing about the set-up of the agent.
  if (agent === undefined || isDraft(taskAt(state, step.task).task)) return;
  if (event.ending === 'done') return forgetRepeatedFailures(state, agent);
  if (event.ending !== 'failed' || event.reason === undefined || !mayBeSetUp(event.reason)) return;
  const says = event.result?.response;
  const words = signOf(says);
  if (words === '' && !isOfSetUp(event.reason)) return;
  const key = `${agent} ${event.reason} ${words}`;
  const known = state.repeatedFailures.get(key)?.tasks ?? [];
  const tasks = known.includes(step.task) ? known : [...known, step.task];
  state.repeatedFailures.set(key, { agent, reason: event.reason, says, tasks });
}

function forgetRepeatedFailures({ repeatedFailures }: State, agent: string): void {
  for (const [key, failure] of repeatedFailures) if (failure.agent === agent) repeatedFailures.delete(key);
}

const isOfSetUp = (reason: Reason): boolean => reason === 'authentication' || reason === 'bad_request';

const MAY_BE_SET_UP: ReadonlySet<Reason> = new Set([
  'authentication',
  'bad_request',
  'permission',
  'refused',
  'cut_off',
  'overloaded',
  'crashed',
  'failed',
]);

const mayBeSetUp = (reason: Reason): boolean => MAY_BE_SET_UP.has(reason);

const SIGN_MAX = 200;

/** The end of an error message without its variable parts: numbers, ids, paths. */
function signOf(says: string | undefined): string {
  const last = says?.trimEnd().split('\n').at(-1) ?? '';
  return last.replaceAll(/\S*[\d/]\S*/g, '#').slice(0, SIGN_MAX);
}
