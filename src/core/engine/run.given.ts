// A run for tests: a plan of a few lines, short words for outcomes, and queries of the result.
//
// `says('a', 'done')` reports on the running claim of `a`; `says('a/tests', …)` names a step.
import { assert } from '../assert.ts';
import { compile } from '../compile/compile.ts';
import type { Compiled } from '../compile/compiled.ts';
import { parsePlan } from '../plan/build/parse.ts';
import type { Json } from '../plan/plan.ts';
import { stepOn } from './step/step.given.ts';
import type { ClaimRef, MergeWork } from '../protocol/assignment.ts';
import type { Reason, Result, Spend } from '../protocol/result.ts';
import type { RunEvent } from './event.ts';
import { stateAfterStart, runStarted } from './apply/fold.ts';
import { evaluatorOf } from './evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import type { RunInputs } from './scope.ts';
import type { Order } from './order.ts';
import type { AnswerWord, Outcome } from './outcome.ts';
import { assign } from './owed/assign.ts';
import { claimsOf, effectsOf, type Effect } from './owed/owed.ts';
import type { State } from './state.ts';
import { lineOf } from './trace.given.ts';

export interface RunOptions {
  /** More lines at the top of the plan: `pools: { ci: 1 }`. */
  readonly plan?: string;
  readonly tree?: 'none' | 'auto';
  readonly policy?: Order['policy'];
  readonly priorities?: Order['priorities'];
  readonly holds?: Order['holds'];
  readonly seed?: number;
  /** The commit that the run starts from. */
  readonly base?: string;
  readonly inputs?: Readonly<Record<string, Json>>;
  readonly evaluator?: Evaluator;
}

type Failure = Exclude<Reason, 'quota' | 'cancelled'>;
export type Word =
  | 'done'
  | Failure
  | 'stopped'
  | 'lost'
  | 'passed'
  | 'merged'
  | 'conflict'
  | 'outrun'
  | 'baseline'
  | { readonly conflictsWith: readonly string[] }
  | AnswerWord
  | { readonly said: Partial<Result>; readonly spend?: Spend }
  | { readonly lost: Failure; readonly isFinal?: boolean; readonly spend?: Spend; readonly saying?: Partial<Result> }
  | { readonly limitedUntil: number; readonly pool?: string };

export interface Run {
  readonly compiled: Compiled;
  readonly log: readonly RunEvent[];
  readonly state: () => State;
  /** Reports on a running claim; returns the resulting events, one line per event. */
  readonly says: (what: string, ...words: readonly Word[]) => readonly string[];
  readonly hears: (outcome: Outcome) => readonly string[];
  /** Commands; no tasks means the whole run. */
  readonly pause: (...tasks: readonly string[]) => readonly string[];
  readonly resume: (...tasks: readonly string[]) => readonly string[];
  readonly stop: (...tasks: readonly string[]) => readonly string[];
  readonly cancel: (...tasks: readonly string[]) => readonly string[];
  readonly skip: (...tasks: readonly string[]) => readonly string[];
  readonly retry: (...tasks: readonly string[]) => readonly string[];
  /** Lets time pass. */
  readonly waits: (ms: number) => readonly string[];
  readonly now: () => number;
  /** Running claims, `task/step#attempt`, in the order of the claims. */
  readonly claims: () => readonly string[];
  readonly owed: () => readonly string[];
  readonly effects: () => readonly Effect[];
  /** The merges that are sent to hosts, in order. */
  readonly merges: (inputs?: Readonly<Record<string, Json>>) => readonly (ClaimRef & MergeWork)[];
  readonly trace: () => readonly string[];
  /** How each task ended, with the reason. */
  readonly endings: () => Readonly<Record<string, string>>;
  readonly spent: () => { readonly usd: number; readonly tokens: number };
  readonly isEnded: () => boolean;
}

export function givenPlanText(
  tasks: string,
  { plan = '', tree = 'none' }: Pick<RunOptions, 'plan' | 'tree'> = {},
): string {
  const indented = tasks
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
  const sandbox = tree === 'none' ? 'sandbox: { tree: none }\n' : '';
  const agents = /^agents:/m.test(plan) ? '' : 'agents: { ai: { use: scripted } }\nagent: ai\n';
  return `heddle: 1\nname: given\n${sandbox}${agents}${plan}\ntasks:\n${indented}\n`;
}

export function compiled(tasks: string, options: Pick<RunOptions, 'plan' | 'tree'> = {}): Compiled {
  const text = givenPlanText(tasks, options);
  const { plan, diagnostics } = parsePlan(text, { file: 'given.yaml' });
  const said = diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n');
  assert(plan !== undefined, `The given plan is wrong.\n${said}\n${text}`);
  return compile(plan);
}

export function given(tasks: string, options: RunOptions = {}): Run {
  return runOf(compiled(tasks, options), options);
}

export function runOf(net: Compiled, options: RunOptions = {}): Run {
  const { policy = 'parallel', priorities = [], holds = [] } = options;
  const order: Order = { policy, priorities, holds };
  const started = runStarted(net, order, {
    at: 0,
    seed: options.seed ?? 1,
    inputs: options.inputs ?? {},
    base: options.base,
  });
  const state = stateAfterStart(started, net);
  const evaluator = options.evaluator ?? evaluatorOf({ inputs: options.inputs ?? {}, env: {} });
  const log: RunEvent[] = [started];
  let now = 0;
  const hears = (outcome: Outcome): readonly string[] => {
    const events = stepOn(state, [outcome], { evaluator, now });
    log.push(...events);
    return events.map(lineOf);
  };
  hears({ type: 'time' });
  return {
    compiled: net,
    log,
    state: () => state,
    says: (what, ...words) => words.flatMap((word) => hears(outcomeOf(state, what, word))),
    hears,
    pause: (...tasks) => hears({ type: 'pause', tasks }),
    resume: (...tasks) => hears({ type: 'resume', tasks }),
    cancel: (...tasks) => hears({ type: 'cancel', tasks }),
    stop: (...tasks) => hears({ type: 'stop', tasks }),
    skip: (...tasks) => hears({ type: 'skip', tasks }),
    retry: (...tasks) => hears({ type: 'retry', tasks }),
    waits: (ms) => {
      now += ms;
      return hears({ type: 'time' });
    },
    now: () => now,
    claims: () => effectsOf(state).flatMap((effect) => (effect.type === 'work' ? [effectNameOf(effect)] : [])),
    owed: () => effectsOf(state).map((effect) => `${verbOf(effect)} ${effectNameOf(effect)}`),
    effects: () => effectsOf(state),
    merges: (inputs = {}) => givenMergesIn(state, { inputs, env: {} }),
    trace: () => log.map(lineOf),
    endings: () => endingsOf(state),
    spent: () => ({ ...state.ledger.run.spent }),
    isEnded: () => state.run.stage === 'ended',
  };
}

/** The merges that are sent to hosts, in order. */
export function givenMergesIn(state: State, scope: RunInputs): readonly (ClaimRef & MergeWork)[] {
  const claims = claimsOf(state).filter(({ work }) => work === 'merge');
  return claims.flatMap((claim) => {
    const assigned = assign(state, claim, scope);
    const work = assigned.type === 'assigned' ? assigned.assignment.work : undefined;
    return work?.type === 'merge' ? [{ ...claim, ...work }] : [];
  });
}

/** Steps and turns on conflicts are worked; checks and merges have verbs of their own. */
function verbOf(effect: Effect): string {
  const work = 'claim' in effect ? effect.claim.work : undefined;
  if (work !== 'check' && work !== 'merge') return effect.type;
  return effect.type === 'stop' ? `stop ${work}` : work;
}

export function effectNameOf(effect: Effect): string {
  if (effect.type === 'wait') return String(effect.until);
  const { task, step, attempt } = effect.type === 'ask' ? effect : effect.claim;
  const work = effect.type === 'ask' ? undefined : effect.claim.work;
  const named = step !== undefined && step !== 'main' ? `/${step}` : '';
  const stage = work === 'check' || work === 'merge' ? ` ${work}` : '';
  return `${task}${named}${stage}#${attempt}`;
}

function endingsOf({ compiled: net, tasks }: State): Readonly<Record<string, string>> {
  return Object.fromEntries(
    net.tasks.map(({ task, index }) => {
      const ended = tasks[index]?.ended;
      const reason = ended?.reason === undefined ? '' : ` (${ended.reason})`;
      return [task.path, ended === undefined ? 'not ended' : `${ended.ending}${reason}`];
    }),
  );
}

const UNKNOWN: Spend = { usd: undefined, tokens: undefined };
export const NO_COST: Spend = { usd: 0, tokens: 0 };
export const OK: Result = { ok: true, response: 'said', output: undefined, exitCode: 0, commit: undefined };

/** The outcome for a word, on the owed claim of the task or step. */
function outcomeOf(state: State, what: string, word: Word): Outcome {
  const effect = effectsOf(state).find((each) => isAbout(each, what));
  assert(effect !== undefined && effect.type !== 'wait', `Nothing of ${what} is owed, so nothing can be said of it.`);
  if (effect.type === 'ask') {
    const { task, attempt } = effect;
    assert(
      word === 'approve' || word === 'reject' || word === 'retry',
      'A question is answered with approve, reject or retry.',
    );
    return { type: 'answered', task, step: effect.step, attempt, answer: word };
  }
  const { claim } = effect;
  if (word === 'stopped') return { type: 'stopped', ...claim, spend: NO_COST };
  if (word === 'lost') return { type: 'lost', ...claim, spend: UNKNOWN };
  switch (claim.work) {
    case 'step':
    case 'resolve':
      return stepOutcome(claim, word);
    case 'check':
      return { type: 'finished', ...claim, spend: NO_COST, result: { ...OK, ok: word === 'passed', response: 'tail' } };
    case 'merge':
      return mergeOutcome(claim, word);
  }
}

function mergeOutcome(claim: ClaimRef, word: Word): Outcome {
  const about = { ...claim, spend: NO_COST };
  if (word === 'merged') return { type: 'finished', ...about, result: { ...OK, commit: `commit of ${claim.task}` } };
  if (word === 'outrun') return { type: 'outrun', ...about };
  if (word === 'conflict') return { type: 'conflict', ...about, paths: ['file'], with: [], onto: 'onto' };
  if (typeof word === 'object' && 'conflictsWith' in word)
    return { type: 'conflict', ...about, paths: ['file'], with: word.conflictsWith, onto: 'onto' };
  const reason = word === 'refused' ? 'refused' : 'check';
  const result = { ...OK, ok: false, response: 'tail' };
  return { type: 'failed', ...about, reason, isFinal: false, result, isBaseline: word === 'baseline' };
}

function isAbout(effect: Effect, what: string): boolean {
  if (effect.type === 'wait') return false;
  const { task, step } = effect.type === 'ask' ? effect : effect.claim;
  return task === what || `${task}/${step ?? ''}` === what;
}

function stepOutcome(about: ClaimRef, word: Word): Outcome {
  if (typeof word === 'object') {
    assert(!('conflictsWith' in word), 'A step has no conflicts; a merge has.');
    if ('limitedUntil' in word)
      return { type: 'limited', ...about, spend: NO_COST, pool: word.pool, until: word.limitedUntil };
    if ('lost' in word) {
      const { lost: reason, isFinal = false, spend = NO_COST, saying } = word;
      const result = saying === undefined ? undefined : { ...OK, ok: false, ...saying };
      return { type: 'failed', ...about, spend, reason, isFinal, result };
    }
    return { type: 'finished', ...about, spend: word.spend ?? NO_COST, result: { ...OK, ...word.said } };
  }
  switch (word) {
    case 'done':
      return { type: 'finished', ...about, spend: NO_COST, result: OK };
    case 'failed':
      return { type: 'finished', ...about, spend: NO_COST, result: { ...OK, ok: false, exitCode: 1 } };
    default:
      return { type: 'failed', ...about, spend: NO_COST, reason: failureOf(word), isFinal: false, result: undefined };
  }
}

function failureOf(word: string): Reason {
  assert(word === 'timeout' || word === 'idle' || word === 'crashed' || word === 'refused', `No step ends as ${word}.`);
  return word;
}
