// A world for the laws of the engine: runs owed work in any order, with success or failure, and gives commands.
import type { ControlCommand } from '../../src/core/engine/command.ts';
import { stepOn } from '../../src/core/engine/step/step.given.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { fold, runStarted } from '../../src/core/engine/apply/fold.ts';
import { evaluatorOf } from '../../src/core/engine/evaluator.ts';
import type { Order } from '../../src/core/engine/order.ts';
import type { Outcome } from '../../src/core/engine/outcome.ts';
import { effectsOf, type Effect } from '../../src/core/engine/owed/owed.ts';
import { OK } from '../../src/core/engine/run.given.ts';
import type { State } from '../../src/core/engine/state.ts';
import { taskOfPath, type Compiled } from '../../src/core/compile/compiled.ts';
import { judgeFragment } from '../../src/core/grow/judge-fragment.ts';
import { isDraft } from '../../src/core/plan/grown-plan.ts';
import { randomFragmentText } from './engine-plans.given.ts';
import type { ClaimRef } from '../../src/core/protocol/assignment.ts';
import { chance, type Chance } from '../../src/core/schedule/chance.ts';

export const EVALUATOR = evaluatorOf({
  inputs: { yes: true, no: false, items: ['a', 'b'] },
  env: {},
  judge: (state, draft, written) => judgeFragment(state, draft, { written }),
});

export interface Habits {
  readonly seed: number;
  readonly order: Order;
  /** The share of work that fails. */
  readonly failureShare: number;
  /** The share of steps in which a person gives a command, an agent reports its spending, or time passes. */
  readonly meddleShare: number;
  /** The commands that a person may give; undefined for all. */
  readonly commands?: readonly ControlCommand['type'][];
  /** Whether work fails depends on its name alone, not on its time. */
  readonly isByName: boolean;
  /** Every failed turn of an agent failed by its provider. */
  readonly blamesAgents?: boolean;
  /** Additional commands of people. */
  readonly asks?: (state: State, random: Chance, log: readonly RunEvent[]) => Outcome | undefined;
  /** Called after each step with its input; may replace the state. */
  readonly afterTurn?: (state: State, heard: Heard) => State;
}

export interface Heard {
  readonly outcome: Outcome;
  readonly now: number;
  readonly events: readonly RunEvent[];
  readonly log: readonly RunEvent[];
}

export interface Played {
  readonly state: State;
  readonly log: readonly RunEvent[];
  readonly atWorkMax: number;
}

/** A run with more steps counts as endless. */
const TURNS_MAX = 5_000;

export const started = (compiled: Compiled, order: Order): RunEvent => runStarted(compiled, order, { at: 0, seed: 1 });

export function play(compiled: Compiled, habits: Habits): Played {
  const log: RunEvent[] = [started(compiled, habits.order)];
  return playOn(fold(log, compiled), log, habits);
}

/** Continues from a state and its log until the run has ended. */
export function playOn(begun: State, log: RunEvent[], habits: Habits): Played {
  const random = chance(habits.seed);
  let state = begun;
  let now = state.run.now;
  let atWorkMax = 0;
  for (let turns = 0; state.run.stage !== 'ended'; turns += 1) {
    if (turns > TURNS_MAX) throw new Error(`The run does not end. It is owed ${JSON.stringify(effectsOf(state))}.`);
    const heard = turns === 0 ? ({ type: 'time' } as const) : nextOutcome(state, random, { ...habits, now, log });
    if (heard.type === 'time' && turns > 0) now += 1 + random.below(100_000);
    const events = stepOn(state, [heard], { evaluator: EVALUATOR, now });
    log.push(...events);
    atWorkMax = Math.max(atWorkMax, state.claims.size);
    state = habits.afterTurn?.(state, { outcome: heard, now, events, log }) ?? state;
  }
  return { state, log, atWorkMax };
}

interface Meddling extends Habits {
  readonly now: number;
  readonly log: readonly RunEvent[];
}

function nextOutcome(state: State, random: Chance, habits: Meddling): Outcome {
  const effects = effectsOf(state);
  const transitions = effects.filter(({ type }) => type !== 'wait');
  if (random.happens(habits.meddleShare)) return meddle(state, random, habits);
  const transition = transitions[random.below(transitions.length)];
  if (transition !== undefined)
    return withinReserve(
      state,
      drafted(
        state,
        carriedOut(transition, habits.isByName ? chanceOf(transition) : random, { ...habits, state }),
        habits,
      ),
    );
  if (state.run.stage === 'paused' || state.deferred.paused.size > 0) return { type: 'resume', tasks: [] };
  if (effects.length === 0) throw new Error('Nothing is owed, and the run has not ended.');
  return { type: 'time' };
}

/** A draft answers with a fragment that depends on its name and, unless all does, on the attempt. */
function drafted(state: State, outcome: Outcome, { seed, isByName }: Habits): Outcome {
  if (outcome.type !== 'finished' || outcome.work !== 'step') return outcome;
  const task = taskOfPath(state.compiled, outcome.task)?.task;
  if (task === undefined || !isDraft(task)) return outcome;
  const salt = isByName ? 1 : seed + outcome.attempt;
  const kind = { isTimeless: isByName, tasksMax: 8 };
  return { ...outcome, result: { ...outcome.result, response: randomFragmentText(salt + hashOf(outcome.task), kind) } };
}

/** In this world no turn spends more than its reservation; a command, which has none, spends nothing. */
function withinReserve(state: State, outcome: Outcome): Outcome {
  if (!('spend' in outcome)) return outcome;
  const { compiled, claims } = state;
  const claim = [...claims.values()].find(
    ({ task, step }) =>
      compiled.tasks[task]?.task.path === outcome.task &&
      compiled.tasks[task]?.steps[step ?? -1]?.step.id === outcome.step,
  );
  const usd = outcome.spend.usd === undefined ? undefined : Math.min(outcome.spend.usd, claim?.reserve.usd ?? 0);
  return { ...outcome, spend: { ...outcome.spend, usd } };
}

const COMMANDS = ['pause', 'resume', 'stop', 'cancel', 'skip', 'retry'] as const satisfies ControlCommand['type'][];

function meddle(state: State, random: Chance, { commands = COMMANDS, asks, log }: Meddling): Outcome {
  const asked = asks?.(state, random, log);
  if (asked !== undefined) return asked;
  if (random.happens(0.3)) return spending(state, random) ?? { type: 'time' };
  if (random.happens(0.3)) return { type: 'time' };
  const { tasks } = state.compiled;
  if (commands === COMMANDS && random.happens(0.15)) return rollback(state, random);
  const type = commands[random.below(commands.length)];
  if (type === undefined) return { type: 'time' };
  // To cancel all of a run leaves little to see, so it is rare.
  const isWholeRun = random.happens(type === 'cancel' ? 0.05 : 0.4);
  const some = Array.from({ length: 1 + random.below(2) }, () => tasks[random.below(tasks.length)]?.task.path ?? '');
  return { type, tasks: isWholeRun ? [] : some };
}

/** Rolls back to before some step, which may not have begun. */
function rollback({ compiled }: State, random: Chance): Outcome {
  const { task, steps } = compiled.tasks[random.below(compiled.tasks.length)] ?? {};
  return { type: 'rollback', task: task?.path ?? '', step: steps?.[random.below(steps.length)]?.step.id ?? '' };
}

/** The spending that some running step reports, at times more than its reservation. */
function spending({ compiled, claims }: State, random: Chance): Outcome | undefined {
  const all = [...claims.values()];
  const claim = all[random.below(all.length)];
  const task = compiled.tasks[claim?.task ?? -1];
  const step = task?.steps[claim?.step ?? -1]?.step.id;
  if (claim === undefined || task === undefined || step === undefined) return undefined;
  const spend = { usd: random.below(60) / 100, tokens: random.below(15) };
  return { type: 'spending', work: claim.work, task: task.task.path, step, attempt: claim.attempt, spend };
}

/** Randomness that depends on the work and not on the time. */
function chanceOf(effect: Effect): Chance {
  const { task, step } = effect.type === 'wait' ? {} : effect.type === 'ask' ? effect : effect.claim;
  const work = 'claim' in effect ? effect.claim.work : '';
  const name = `${effect.type} ${work} ${task ?? ''} ${step ?? ''}`;
  return chance(hashOf(name));
}

function hashOf(name: string): number {
  let hash = 7;
  for (const letter of name) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return hash >>> 0;
}

function carriedOut(
  effect: Effect,
  random: Chance,
  { failureShare, now, isByName, blamesAgents, state }: Habits & { now: number; state: State },
): Outcome {
  const isBad = random.happens(failureShare);
  switch (effect.type) {
    case 'wait':
      return { type: 'time' };
    case 'work':
    case 'stop':
      return carriedOutClaim(effect, random, { isBad, now, isByName, blamesAgents });
    case 'ask': {
      const { task, step, attempt } = effect;
      const question = [...state.questions.values()].find(
        (each) => each.asks !== undefined && state.compiled.tasks[each.task]?.task.path === task,
      );
      if (question !== undefined && step !== undefined && !isBad) {
        const told = { type: 'replied', task, step, attempt, text: 'That one.' } as const;
        return question.permission === undefined ? told : { ...told, decision: DECIDED[random.below(3)] };
      }
      const isOfConflict = step === undefined && typeOf(state, task) === 'work';
      // Where failures depend on names, a conflict repeats for ever.
      if (isOfConflict && isByName) return { type: 'answered', task, step, attempt, answer: 'reject' };
      if (isOfConflict && random.happens(0.5)) return { type: 'resolved', task, attempt, commit: 'by hand' };
      const answer = isBad ? 'reject' : step !== undefined && !isByName && random.happens(0.2) ? 'retry' : 'approve';
      return { type: 'answered', task, step, attempt, answer };
    }
  }
}

const FREE = { usd: 0, tokens: 0 };

type OfClaim = Extract<Effect, { readonly claim: ClaimRef }>;

function carriedOutClaim({ type, claim }: OfClaim, random: Chance, manner: Manner): Outcome {
  const { isBad, isByName } = manner;
  const about = { ...claim, spend: FREE };
  switch (claim.work) {
    case 'step':
    case 'resolve': {
      if (type === 'work') return worked(claim, random, manner);
      const spend = { usd: 0.1, tokens: 1 };
      if (random.happens(0.3)) return { type: 'finished', ...claim, spend, result: OK };
      return { type: 'stopped', ...claim, spend };
    }
    case 'check':
      if (type === 'stop' && !isBad) return { type: 'stopped', ...about };
      if (isBad && !isByName && random.happens(0.5)) return { type: 'lost', ...about };
      return { type: 'finished', ...about, result: { ...OK, ok: !isBad } };
    case 'merge':
      if (type === 'stop' && random.happens(0.5)) return { type: 'stopped', ...about };
      if (!isBad) return { type: 'finished', ...about, result: { ...OK, commit: 'c' } };
      return badlyMerged(about, random, isByName);
  }
}

const DECIDED = ['yes', 'no', 'always'] as const;

const typeOf = ({ compiled }: State, path: string): string | undefined =>
  compiled.tasks[compiled.indexOf.get(path) ?? -1]?.task.type;

function badlyMerged(about: About, random: Chance, isByName: boolean): Outcome {
  const result = { ...OK, ok: false };
  switch (random.below(isByName ? 4 : 7)) {
    case 0:
      return { type: 'failed', ...about, reason: 'refused', isFinal: false, result };
    case 1:
      return { type: 'failed', ...about, reason: 'check', isFinal: false, result, isBaseline: random.happens(0.2) };
    case 4:
      return { type: 'outrun', ...about };
    case 5:
      return { type: 'stopped', ...about };
    case 6:
      return { type: 'lost', ...about };
    default:
      return { type: 'conflict', ...about, paths: ['file'], with: [], onto: 'onto' };
  }
}

interface Manner {
  readonly isBad: boolean;
  readonly now: number;
  readonly isByName: boolean;
  readonly blamesAgents: boolean | undefined;
}

function worked(claim: ClaimRef, random: Chance, manner: Manner): Outcome {
  const { isBad, now, isByName, blamesAgents } = manner;
  const { attempt } = claim;
  const usd = random.happens(0.3) ? undefined : random.below(30) / 100;
  const about = { ...claim, spend: { usd, tokens: 3 } };
  if (!isBad) return { type: 'finished', ...about, result: OK };
  switch (isByName ? 0 : blamesAgents === true ? random.below(2) * 4 + 1 : random.below(6)) {
    case 0:
      return { type: 'finished', ...about, result: { ...OK, ok: false, exitCode: 1 } };
    case 1:
      return {
        type: 'limited',
        ...about,
        hasWorked: attempt % 2 === 1,
        pool: random.happens(0.5) ? 'ci' : undefined,
        until: now + 60_000,
      };
    case 2:
      return { type: 'stopped', ...about };
    case 3:
      return { type: 'lost', ...about };
    default:
      return failed(about, random, blamesAgents);
  }
}

type About = ClaimRef & Pick<Extract<Outcome, { type: 'failed' }>, 'spend'>;

/** Failures of an agent, not of the work. */
const OF_AGENT = ['bad_request', 'context', 'refused', 'permission'] as const;

/** Every other time the agent had begun, so that its conversation can continue. */
const brokenOff = ({ task, attempt }: About): Pick<Extract<Outcome, { type: 'failed' }>, 'hasWorked' | 'result'> =>
  attempt % 2 === 0
    ? { result: undefined }
    : { hasWorked: true, result: { ...OK, ok: false, commit: `half of ${task}#${attempt}` } };

/** Mostly a failure of the work; at times of the agent's provider, or a question. */
function failed(about: About, random: Chance, blamesAgents = false): Outcome {
  const why = { type: 'failed', ...about, result: undefined } as const;
  switch (random.below(blamesAgents ? 6 : 10)) {
    case 0:
      return { ...why, reason: 'authentication', isFinal: true };
    case 1:
      return {
        type: 'asked',
        ...about,
        question: 'Which one?',
        // Derived from existing draws, so that everything else stays the same.
        permission: about.attempt % 2 === 0 ? undefined : { tool: 'Bash', about: 'make', key: `make ${about.attempt}` },
        result: { ...OK, ok: false },
      };
    case 2:
    case 3:
      return { ...why, reason: 'overloaded', isFinal: false };
    case 4:
      return { ...why, reason: 'cut_off', isFinal: false, ...brokenOff(about) };
    case 5:
      return { ...why, reason: OF_AGENT[random.below(OF_AGENT.length)] ?? 'refused', isFinal: random.happens(0.5) };
    default:
      return { ...why, reason: 'timeout', isFinal: random.happens(0.3) };
  }
}
