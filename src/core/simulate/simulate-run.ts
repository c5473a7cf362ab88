// The engine in virtual time: real decisions, with durations and failures drawn from a seed.
//
// simulate/V1. The loop is the run loop: begin the owed effects that are not under way, wait for the next outcome,
//     decide, repeat.
// simulate/V2. The same plan, estimates and seed give the same events.
import { assert } from '../assert.ts';
import type { Compiled, CompiledTask } from '../compile/compiled.ts';
import type { RunEvent } from '../engine/event.ts';
import type { ClaimRef } from '../protocol/assignment.ts';
import type { Result, Spend } from '../protocol/result.ts';
import type { Order } from '../engine/order.ts';
import type { Outcome } from '../engine/outcome.ts';
import { beginEffects, nothingUnderWay, type Effect } from '../engine/owed/owed.ts';
import { stateAfterStart, runStarted } from '../engine/apply/fold.ts';
import { reserveFor } from '../engine/decide/choose-agent.ts';
import type { State } from '../engine/state.ts';
import { startCoordinator } from '../engine/step/coordinator-state.ts';
import { step } from '../engine/step/step.ts';
import { chance, type Chance } from '../schedule/chance.ts';
import { asHeld, claimAt, FREE, stepNamed, taskNamed, tokenAt } from '../engine/facts.ts';
import { estimateCheck, estimateMerge, estimateStep, SPENT_SHARE, type Estimate } from './estimate.ts';
import { timedQueue } from './timed-queue.ts';
import type { Scenario } from './draw-scenarios.ts';
import type { Evaluator } from '../engine/evaluator.ts';

/** A run in virtual time: its log, its last state and how long it took. */
export interface Simulation {
  readonly events: readonly RunEvent[];
  readonly state: State;
  readonly makespanMs: number;
}

/** A bound on steps of the loop. Reaching it is a bug in Heddle: every plan that verifies must finish. */
const TURNS_PER_TASK_MAX = 10_000;

/** Runs a plan in virtual time, with the same `step` as a true run. */
export function simulate(compiled: Compiled, order: Order, scenario: Scenario): Simulation {
  const started = runStarted(compiled, order, { at: 0, seed: scenario.seed });
  const state = stateAfterStart(started, compiled);
  const { events, endedAt } = carryOn(state, scenario, { now: 0, first: { type: 'time' } });
  return { events: [started, ...events], state, makespanMs: endedAt };
}

/** A simulation has no hosts, so it renders no texts. */
const NOTHING_GIVEN = { inputs: {}, env: {} };

export interface CarriedOn {
  /** The events from the given state to the end of the run. */
  readonly events: readonly RunEvent[];
  readonly endedAt: number;
}

/** Simulates a run from the given state to its end, starting with one outcome. Consumes the state. */
export function carryOn(
  state: State,
  scenario: Scenario,
  { now: from, first }: { readonly now: number; readonly first: Outcome },
): CarriedOn {
  const random = chance(scenario.seed);
  const evaluator = assume(random.fork(), scenario);
  const coordinator = startCoordinator(state, { evaluator, given: NOTHING_GIVEN, hasHosts: false, at: from });
  const events: RunEvent[] = [];
  const pending = timedQueue<Outcome>();
  const underWay = nothingUnderWay();
  const turnsMax = TURNS_PER_TASK_MAX * (state.compiled.tasks.length + 1);
  let now = from;
  let outcomes: readonly Outcome[] = [first];
  for (let turns = 0; outcomes.length > 0; turns += 1) {
    assert(turns < turnsMax, 'A simulated run must come to an end.');
    for (const event of step(coordinator, { outcomes }, { now, at: now }).events) events.push(event);
    if (state.run.stage === 'ended') break;
    for (const effect of beginEffects(state, underWay)) {
      const { afterMs, outcome: coming } = carryOut({ state, scenario, random, now }, effect);
      pending.add(now + afterMs, coming);
    }
    const due = pending.next();
    now = due?.at ?? now;
    outcomes = due?.items ?? [];
  }
  assert(state.run.stage === 'ended', 'A run in which nothing is owed and nothing is under way has ended.');
  return { events, endedAt: state.run.endedAt ?? now };
}

interface Coming {
  readonly afterMs: number;
  readonly outcome: Outcome;
}

interface World {
  readonly state: State;
  readonly scenario: Scenario;
  readonly random: Chance;
  readonly now: number;
}

function carryOut(world: World, effect: Effect): Coming {
  const { scenario, random, now } = world;
  const fails: Fails = (isLast) => random.happens(scenario.failureShare) && !(isLast && scenario.endsWell);
  switch (effect.type) {
    case 'work':
      return carryOutClaim(world, effect.claim, fails);
    case 'stop':
      return { afterMs: 0, outcome: { type: 'stopped', ...effect.claim, spend: UNKNOWN } };
    case 'ask':
      // The time that a person takes cannot be forecast: a gate opens at once, and the forecast states the number of
      // gates.
      return { afterMs: 0, outcome: answerTo(world.state, effect) };
    case 'wait':
      return { afterMs: Math.max(0, effect.until - now), outcome: { type: 'time' } };
  }
}

/** A simulated answer: text for a question, `yes` for a permission request, `approve` for a gate. */
function answerTo(state: State, { task, step, attempt }: Extract<Effect, { type: 'ask' }>): Outcome {
  const { index, steps } = taskNamed(state.compiled, task);
  const asked = [...state.questions.values()].find(
    (each) => each.task === index && each.attempt === attempt && steps[each.step ?? -1]?.step.id === step,
  );
  if (step === undefined || asked?.asks === undefined)
    return { type: 'answered', task, step, attempt, answer: 'approve' };
  const decision = asked.permission === undefined ? undefined : 'yes';
  return { type: 'replied', task, step, attempt, text: 'yes', decision };
}

const UNKNOWN: Spend = { usd: undefined, tokens: undefined };

/** Whether a failure happens; the last failure that the plan allows may be spared. */
type Fails = (isLast: boolean) => boolean;

function carryOutClaim(world: World, claim: ClaimRef, fails: Fails): Coming {
  const task = taskNamed(world.state.compiled, claim.task);
  switch (claim.work) {
    case 'step':
    case 'resolve':
      return work(world, claim, fails);
    case 'check': {
      const afterMs = checkMs(world, task);
      const result = { ...ASSUMED, ok: !fails(isLastCheck(world, claim.task)) };
      return { afterMs, outcome: { type: 'finished', ...claim, spend: FREE, result } };
    }
    case 'merge':
      return {
        afterMs: leftMs(world, task.places.merging, estimateMerge(world.scenario.history)),
        outcome: { type: 'finished', ...claim, spend: FREE, result: ASSUMED },
      };
  }
}

function work(world: World, claim: ClaimRef, fails: Fails): Coming {
  const { scenario, state } = world;
  const { compiled } = state;
  const task = taskNamed(compiled, claim.task);
  const step = stepNamed(task, claim.step ?? '');
  const estimate = estimateStep(compiled, step, scenario.history);
  const place = claim.work === 'resolve' ? task.places.resolving : asHeld(state, step).working;
  const { usd, tokens } = reserveFor(step.step, claimAt(state, place)?.agent);
  const spending = scenario.spending ?? { spread: scenario.spread, factor: 1 };
  const share = Math.min(1, SPENT_SHARE * spending.factor * strayed(world, spending.spread));
  const spend: Spend = { usd: (usd ?? 0) * share, tokens: Math.round((tokens ?? 0) * share) };
  const about = { ...claim, spend };
  const afterMs = leftMs(world, place, estimate);
  const isLast = tokenAt(state, place).tried >= step.step.attemptsMax;
  if (fails(isLast))
    return { afterMs, outcome: { ...about, type: 'failed', reason: 'failed', isFinal: false, result: undefined } };
  return { afterMs, outcome: { ...about, type: 'finished', result: ASSUMED } };
}

/** Whether a failure of this check would fail the task instead of sending it back to its agent. */
function isLastCheck({ state }: World, path: string): boolean {
  const { task, transitions, places } = taskNamed(state.compiled, path);
  return transitions.redo === undefined || tokenAt(state, places.checking).redo + 1 >= task.settings.attemptsMax;
}

/** A claim that runs when the simulation begins has done part of its work already; at least this share remains. */
const LEFT_SHARE_MIN = 0.1;
const LEFT_MIN_MS = 1_000;
const DRAWS_MAX = 20;

function checkMs(world: World, task: CompiledTask): number {
  return leftMs(world, task.places.checking, estimateCheck(world.state.compiled, task, world.scenario.history));
}

/** The remaining duration of the claim at a place, given its estimate. */
function leftMs(world: World, place: number | undefined, { ms: expected, origin, doubt, lean }: Estimate): number {
  const { spread, factor = 1, bias = 1 } = world.scenario;
  const hasDoubts = spread > 0 && world.scenario.hasDoubts === true;
  const usual = expected * factor * (origin === 'earlier runs' ? 1 : bias) * (hasDoubts ? Math.exp(lean) : 1);
  const draw = (): number => usual * strayed(world, hasDoubts ? Math.hypot(spread, doubt) : spread);
  const worked = world.now - (claimAt(world.state, place)?.at ?? world.now);
  let ms = draw();
  if (worked <= 0) return ms;
  // A running claim takes longer than its time so far; a duration beyond that is drawn.
  const drawsMax = spread === 0 ? 1 : DRAWS_MAX;
  for (let drawn = 1; ms < worked && drawn < drawsMax; drawn += 1) ms = draw();
  return Math.max(ms - worked, ms * LEFT_SHARE_MIN, LEFT_MIN_MS);
}

/** A log-normal draw around 1: never negative, with a long tail of late ends, like real work. */
function strayed({ random }: World, spread: number): number {
  return spread === 0 ? 1 : Math.exp(spread * random.normal());
}

export const ASSUMED: Result = { ok: true, response: '', output: undefined, exitCode: 0, commit: undefined };

/**
 * The evaluator of expressions in a simulation: conditions hold and lists are full.
 * A loop goes into another round with probability `failureShare`; with `endsWell` its last round always succeeds.
 */
export function assume(
  chance: Chance,
  { failureShare, endsWell }: Pick<Scenario, 'failureShare' | 'endsWell'>,
): Evaluator {
  return {
    opens: () => ({ type: 'yes' }),
    starts: () => ({ type: 'yes' }),
    isRepeated: (state, { task, places }) => {
      const roundsMax = task.type === 'work' ? (task.repeat?.roundsMax ?? 1) : 1;
      const isLast = tokenAt(state, places.worked).round + 1 >= roundsMax;
      return { type: chance.happens(failureShare) && !(isLast && endsWell) ? 'no' : 'yes' };
    },
    feedback: (_, { task }) =>
      task.type === 'work' && task.repeat?.feedback !== undefined ? { type: 'rendered', text: '' } : undefined,
    ruleFor: () => ({ type: 'rule', rule: undefined }),
    ruleForJoin: () => ({ type: 'rule', rule: undefined }),
    joinTask: () => ASSUMED,
    joinSteps: () => ASSUMED,
    judge: () => ({ type: 'nothing' }),
  };
}
