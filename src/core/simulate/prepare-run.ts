// Chooses the priorities by which a run claims its steps. Several candidates are computed before the run, and each is
// tried in the same sampled worlds.
//
// prepare/N1. Longest remaining path is the first candidate. Another one replaces it only when it is no longer with
//   durations as estimated, and significantly shorter over the sampled worlds: where estimates are guesses, the
//   simplest rule misleads least.
// prepare/N2. The search takes a fraction of the time that it could save, since the run waits for it.
import type { Compiled } from '../compile/compiled.ts';
import type { StepHold, Order } from '../engine/order.ts';
import { lowerBounds } from '../schedule/bounds.ts';
import { chance } from '../schedule/chance.ts';
import { listSchedule, type PriorityRule } from '../schedule/list-schedule.ts';
import type { WithoutMilestones } from '../schedule/milestones.ts';
import { isCostly, onlinePriorities } from '../schedule/online-priorities.ts';
import { longestRemainingMs } from '../schedule/priorities.ts';
import type { Problem } from '../schedule/problem.ts';
import { schedulesDefault, searchSchedule } from '../schedule/search-schedule.ts';
import { estimateStep, type History } from './estimate.ts';
import { problemOf, workOf, type ActivityMeaning, type PlanProblem } from './problem-of.ts';
import { asEstimated } from './draw-scenarios.ts';
import { simulate } from './simulate-run.ts';
import { taskAt } from '../engine/facts.ts';
import { drawWorld } from './variability.ts';

/** The input of every forecast of a plan. */
export interface Prepared {
  readonly planned: PlanProblem;
  readonly order: Order;
  readonly history: History;
  readonly seed: number;
}

type Ordering = Omit<Prepared, 'order'>;

/** Without priorities the order is that of the plan. */
const DECLARED: Order = { policy: 'parallel', priorities: [], holds: [] };

export const SERIAL: Order = { policy: 'serial', priorities: [], holds: [] };

/** With more activities than this, comparing candidates costs more than it could gain. */
const TRIED_ACTIVITIES_MAX = 4_000;

/** Estimates every step of a plan and decides which goes first. */
export function prepare(compiled: Compiled, { history, seed }: { history: History; seed: number }): Prepared {
  const ordering: Ordering = { planned: problemOf(compiled, history), history, seed };
  return { ...ordering, order: orderOf(compiled, ordering) };
}

/** The same of a run whose order was decided when it began. */
export const prepareAgain = (compiled: Compiled, { history, seed, order }: Omit<Prepared, 'planned'>): Prepared => ({
  planned: problemOf(compiled, history),
  order,
  history,
  seed,
});

function orderOf(compiled: Compiled, ordering: Ordering): Order {
  if (compiled.plan.schedule === 'declared') return DECLARED;
  const work = workOf(ordering.planned);
  const { problem } = work;
  const first = orderIn(ordering.planned, work, { priority: longestRemainingMs(problem), holds: [] });
  if (problem.count > TRIED_ACTIVITIES_MAX || isCostly(problem)) return first.order;
  const boundMs = lowerBounds(problem).bestMs;
  // A computed schedule costs a fraction of a simulation, and no candidate can be shorter than the lower bound.
  const { makespanMs } = listSchedule(problem, first);
  const isCertain = ordering.history.variability.spread.deviation === 0;
  if (makespanMs * (isCertain ? 1 : 1 - GAIN_MIN) <= boundMs) return first.order;
  const drawing = { seed: ordering.seed, boundMs, schedulesMax: schedulesFor(problem, makespanMs - boundMs) };
  const estimatedMs = (order: Order): number => simulate(compiled, order, asEstimated(ordering)).makespanMs;
  const worlds = sampleWorlds(work, compiled, ordering);
  const firstMs = estimatedMs(first.order);
  let best = { ...first, ms: firstMs };
  for (const draw of [byBestRule, bySearch, bySearchWithHolds]) {
    if (best.ms <= boundMs && worlds.length === 0) break;
    const drawn = orderIn(ordering.planned, work, draw(problem, drawing));
    const ms = estimatedMs(drawn.order);
    if (ms > firstMs) continue;
    const isBetter = worlds.length === 0 ? ms < best.ms : isShorter(drawn, best, worlds);
    if (isBetter) best = { ...drawn, ms };
  }
  return best.order;
}

/** An order of a plan, and the rule for its problem that it was made from. */
interface Drawn extends PriorityRule {
  readonly order: Order;
}

interface Drawing {
  readonly seed: number;
  readonly boundMs: number;
  readonly schedulesMax: number;
}

/** Where durations stray, less than this share of the makespan is not worth a search. */
const GAIN_MIN = 0.02;
/** Activities that a search may place per millisecond that it could save: about a tenth of a millisecond of work. */
const PLACEMENTS_PER_MS = 250;
const PLACEMENTS_MIN = 100_000;

const schedulesFor = (problem: Problem, gainMs: number): number =>
  schedulesDefault(problem, Math.max(PLACEMENTS_MIN, PLACEMENTS_PER_MS * gainMs));

const byBestRule = (problem: Problem, { boundMs }: Drawing): PriorityRule => ({
  priority: onlinePriorities(problem, boundMs).priority,
  holds: [],
});

const bySearch = (problem: Problem, { seed, schedulesMax }: Drawing): PriorityRule =>
  searchSchedule(problem, { seed, schedulesMax, mayHold: false });

const bySearchWithHolds = (problem: Problem, { seed, schedulesMax }: Drawing): PriorityRule =>
  searchSchedule(problem, { seed, schedulesMax, mayHold: true });

function orderIn(planned: PlanProblem, work: WithoutMilestones, { priority, holds = [] }: PriorityRule): Drawn {
  const meaningOf = (index: number): ActivityMeaning | undefined => planned.meanings[work.activityOf[index] ?? -1];
  const priorities = planned.steps.map((ofTask) =>
    ofTask.map((activity) => priority[work.indexOf[activity] ?? -1] ?? 0),
  );
  const named = holds.flatMap(({ held, until }): StepHold[] => {
    const [heldIs, untilIs] = [meaningOf(held), meaningOf(until)];
    return heldIs?.type === 'step' && untilIs?.type === 'step' ? [{ held: heldIs, until: untilIs }] : [];
  });
  return { priority, holds, order: { policy: 'parallel', priorities, holds: named } };
}

/** Activities placed in all to compare two candidates: a fraction of a second of work. */
const PLACEMENTS_MAX = 60_000;
const WORLDS_MIN = 12;
const WORLDS_MAX = 60;

/** The problem with sampled durations; empty when every duration is certain. */
function sampleWorlds(
  { problem, activityOf }: WithoutMilestones,
  compiled: Compiled,
  { planned, history, seed }: Ordering,
): readonly Problem[] {
  const { variability } = history;
  if (variability.spread.deviation === 0) return [];
  const random = chance(seed).fork();
  const doubts = Float64Array.from(activityOf, (activity) => doubtOf(compiled, planned.meanings[activity], history));
  const count = Math.max(WORLDS_MIN, Math.min(WORLDS_MAX, Math.round(PLACEMENTS_MAX / problem.count)));
  return Array.from({ length: count }, () => {
    const { spread, failureShare } = drawWorld(variability, random);
    const durationMs = problem.durationMs.map((ms, activity) => {
      const strayed = ms * Math.exp(Math.hypot(spread, doubts[activity] ?? 0) * random.normal());
      return random.happens(failureShare) ? 2 * strayed : strayed;
    });
    return { ...problem, durationMs };
  });
}

function doubtOf(compiled: Compiled, meaning: ActivityMeaning | undefined, history: History): number {
  if (meaning?.type !== 'step') return 0;
  const step = taskAt({ compiled }, meaning.task).steps[meaning.step];
  return step === undefined ? 0 : estimateStep(compiled, step, history).doubt;
}

/** Chance may favour one of two equal orders by this many standard errors. */
const ERRORS_MIN = 1;

/** Whether an order is shorter than another over the sampled worlds, by more than chance. */
function isShorter(one: PriorityRule, other: PriorityRule, worlds: readonly Problem[]): boolean {
  const gains = worlds.map((world) => 1 - listSchedule(world, one).makespanMs / listSchedule(world, other).makespanMs);
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const squares = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0);
  return mean > ERRORS_MIN * Math.sqrt(squares / gains.length / Math.max(1, gains.length - 1));
}
