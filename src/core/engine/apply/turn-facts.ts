// What the events of agents' turns leave behind besides tokens: conversations, who is not to be asked, pools that rest or
// are throttled, and how turns fail.
//
// turn-facts/T1. All of it is a fold of the log, so a run that starts again takes up the same conversations and waits
//     as long.
import type { CompiledStep } from '../../compile/compiled.ts';
import type { Reason, Remembered } from '../../protocol/result.ts';
import type { RunEvent } from '../event.ts';
import { factsOf, stepFactsOf } from '../facts.ts';
import { releasePrecedence } from '../deferred.ts';
import type { Claim, State } from '../state.ts';
import type { Barred, GoingOn } from '../step-facts.ts';

/** Who has a step that names one agent alone. */
export const agentOf = ({ step }: CompiledStep): string | undefined =>
  step.type === 'prompt' ? step.agent : undefined;

/** The account of an agent may not be asked for a while. */
export const isLimit = (reason: Reason | undefined): boolean => reason === 'quota' || reason === 'rate_limit';

type Returned = Extract<RunEvent, { type: 'claim.returned' }>;

/** What a turn that came back means for those that follow it. */
export function noteReturned(
  state: State,
  step: CompiledStep,
  { event, claim }: { event: Returned; claim: Claim },
): void {
  const facts = stepFactsOf(state, step);
  const { reason, until, pool, conversation } = event;
  noteConversation(state, step, conversation);
  facts.lost = reason === 'crashed' && !event.counted ? facts.lost + 1 : 0;
  facts.turnedAway = isLimit(reason) || reason === 'overloaded' ? facts.turnedAway + 1 : 0;
  if (isLimit(reason)) noteDry(state, { pool, until, agent: claim.agent });
  // Who was left to another agent may be that one's no more.
  if (step.step.type === 'prompt' && step.step.fallbacks.length > 0) releasePrecedence(state);
  if (reason === 'overloaded' && pool !== undefined) noteOverloaded(state, pool, event.at);
  if (event.work === 'resolve') return;
  const next = goesOnAfter(event);
  if (next !== undefined) {
    facts.goesOn = next;
    facts.conversation = conversation;
  }
  noteLeft(state, step, event);
  // Some programs forget conversations and then fail without saying so.
  if (reason === 'context' || reason === 'failed') facts.startsFresh = true;
  if (claim.agent !== undefined && isTurnedToAnother(step, event))
    facts.barred = barring(facts.barred, claim.agent, event);
}

/** What the attempt left: a commit to go on from, files that could not be saved and are to be mended, or leftovers. */
function noteLeft(state: State, step: CompiledStep, { commit, reason, says }: Returned): void {
  const facts = factsOf(state, step.task);
  const isUnsaved = reason === 'unsaved';
  facts.tip = commit ?? facts.tip;
  facts.hasLeftovers ||= commit === undefined && !isUnsaved;
  stepFactsOf(state, step).unsaved = isUnsaved ? says : undefined;
}

/** Of two reports on one account the one that closes it for longer holds. */
function noteDry(
  { exhausted, exhaustedAgents }: State,
  { pool, until, agent }: Pick<Returned, 'pool' | 'until'> & Pick<Claim, 'agent'>,
): void {
  if (pool !== undefined) exhausted.set(pool, Math.max(until, exhausted.get(pool) ?? until));
  else if (agent !== undefined) exhaustedAgents.set(agent, Math.max(until, exhaustedAgents.get(agent) ?? until));
}

/** Its next turn goes on where this one stopped, with what this one lacked. */
function goesOnAfter({ reason, says }: Returned): GoingOn | undefined {
  if (says === undefined) return undefined;
  if (reason === 'output') return { type: 'output', says, asked: undefined };
  const goesOn = reason === 'asked' || isOfProvider(reason) || isCut(reason);
  return goesOn ? { type: 'answer', says, asked: undefined } : undefined;
}

/** The connection broke, or the program died, in the middle of a turn. */
export const isCut = (reason: Reason): boolean => reason === 'cut_off' || reason === 'crashed';

/** When an agent that is barred for good may be asked. */
export const FOR_GOOD = Number.MAX_SAFE_INTEGER;

/** Verdicts that say nothing of the work: another agent may do better. */
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

/** What counts as an attempt is tried again by whoever had it: nobody else was there to take it over. */
export const isTurnedToAnother = ({ step }: CompiledStep, { reason, counted }: Returned): boolean =>
  step.type === 'prompt' && step.fallbacks.length > 0 && isOfProvider(reason) && !counted;

/** One that has to rest is barred until then, any other for as long as the step is tried. */
function barring(barred: readonly Barred[], agent: string, { reason, until }: Returned): readonly Barred[] {
  const isForNow = isLimit(reason) || reason === 'overloaded';
  const others = barred.filter((each) => each.agent !== agent);
  return [...others, { agent, until: isForNow ? until : FOR_GOOD }];
}

/**
 * Counters of some programs go on over all turns of a conversation, those that failed too, so whoever takes it up has to
 * know where they stood last.
 */
export function noteConversation(state: State, { task, step }: CompiledStep, latest: Remembered | undefined): void {
  if (latest === undefined) return;
  const from = step.type === 'prompt' && step.resumeTask !== undefined ? step.resumeTask : undefined;
  const other = from === undefined ? undefined : state.compiled.indexOf.get(from);
  const others = other === undefined ? [] : factsOf(state, other).steps;
  for (const facts of [...factsOf(state, task).steps, ...others])
    if (facts.conversation?.id === latest.id) facts.conversation = { ...facts.conversation, reading: latest.reading };
}

/** How long a pool stays at a width before it is made wider. */
export const RESTORE_AFTER_MS = 30_000;
/** Turns that were at work together are told of one overload, each by itself. */
const ONE_OVERLOAD_MS = 10_000;

function noteOverloaded(state: State, pool: string, at: number): void {
  const { compiled, throttled } = state;
  const known = throttled.get(pool);
  const width = known?.width ?? compiled.pools.get(pool)?.size ?? 0;
  const isSame = known !== undefined && at < known.until - RESTORE_AFTER_MS + ONE_OVERLOAD_MS;
  if (isSame || lowerLimit(state, pool, width) >= width) return;
  throttled.set(pool, { width, until: known?.until ?? at, isNews: true });
}

/** Half of what it was, but never so low that a step could not have what it holds. */
export function lowerLimit({ compiled }: State, pool: string, width: number): number {
  let held = 1;
  for (const { steps } of compiled.tasks)
    for (const { step } of steps)
      for (const demand of step.pools) if (demand.pool === pool) held = Math.max(held, demand.tokens);
  return Math.max(held, Math.floor(width / 2));
}

type Limit = Extract<RunEvent, { type: 'pool.throttled' | 'pool.restored' }>;

export function setLimit(state: State, { pool, limit, until }: Limit): void {
  const { pools } = state.compiled;
  if (limit >= (pools.get(pool)?.size ?? 0)) state.throttled.delete(pool);
  else state.throttled.set(pool, { width: limit, until, isNews: false });
  releasePrecedence(state);
}

type Ended = Extract<RunEvent, { type: 'claim.ended' }>;

/** How a turn failed, as far as that may be the same in other tasks. */
export function noteTrouble(state: State, step: CompiledStep, { event, claim }: { event: Ended; claim: Claim }): void {
  const { agent } = claim;
  if (agent === undefined) return;
  if (event.ending === 'done') return forgetTroubles(state, agent);
  if (event.ending !== 'failed' || event.reason === undefined || !mayBeSetUp(event.reason)) return;
  const says = event.result?.response;
  const words = signOf(says);
  if (words === '' && !isOfSetUp(event.reason)) return;
  const key = `${agent} ${event.reason} ${words}`;
  const known = state.troubles.get(key)?.tasks ?? [];
  const tasks = known.includes(step.task) ? known : [...known, step.task];
  state.troubles.set(key, { agent, reason: event.reason, says, tasks });
}

function forgetTroubles({ troubles }: State, agent: string): void {
  for (const [key, trouble] of troubles) if (trouble.agent === agent) troubles.delete(key);
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

/** The last words of a failure without what differs from one to the next: numbers, ids, paths. */
function signOf(says: string | undefined): string {
  const last = says?.trimEnd().split('\n').at(-1) ?? '';
  return last.replaceAll(/\S*[\d/]\S*/g, '#').slice(0, SIGN_MAX);
}
