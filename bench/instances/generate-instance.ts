// Graphs of our own, drawn from a seed, so that the benchmark needs no data: task graphs on machines that are all
// alike, and projects whose activities demand several pools, by the measures that such sets are usually built with
// (network complexity, resource factor, resource strength).

import { chance, type Chance } from '../../src/core/schedule/chance.ts';
import { earliestStartMs } from '../../src/core/schedule/priorities.ts';
import { buildProblem, type Activity, type Problem } from '../../src/core/schedule/problem.ts';

export interface TaskGraphShape {
  readonly tasks: number;
  readonly machines: number;
  readonly predecessorsMean: number;
  readonly layered: boolean;
  readonly durations: 'uniform' | 'exponential' | 'normal';
}

export interface ProjectShape {
  readonly activities: number;
  readonly pools: number;
  /** Mean number of links per activity. */
  readonly networkComplexity: number;
  /** Mean share of the pools that an activity demands. */
  readonly resourceFactor: number;
  /** 0: pools as small as the greatest demand; 1: as large as the peak without pools. */
  readonly resourceStrength: number;
}

const DURATION_MAX = 10;
const DEMAND_MAX = 10;
const STARTS = 3;

export function generateTaskGraph(shape: TaskGraphShape, seed: number): Problem {
  const random = chance(seed);
  const layerSize = Math.max(2, Math.round(Math.sqrt(shape.tasks)));
  const successors: number[][] = Array.from({ length: shape.tasks }, () => []);
  for (let task = 1; task < shape.tasks; task++) {
    const layerStart = task - (task % layerSize);
    const reachable = shape.layered ? layerStart : task;
    const from = shape.layered ? Math.max(0, layerStart - layerSize) : 0;
    const wanted = reachable > from ? random.below(2 * shape.predecessorsMean + 1) : 0;
    for (let link = 0; link < wanted; link++) {
      linkOnce(successors, from + random.below(reachable - from), task);
    }
  }
  const activities = successors.map((list) => ({
    durationMs: durationOf(shape.durations, random),
    successors: list,
    demands: [{ pool: 0, tokens: 1 }],
  }));
  return built(activities, [shape.machines]);
}

export function generateProject(shape: ProjectShape, seed: number): Problem {
  const random = chance(seed);
  const successors = projectNetwork(shape, random);
  const activities = successors.map((list) => ({
    durationMs: 1 + random.below(DURATION_MAX),
    successors: list,
    demands: demandsOf(shape, random),
  }));
  const loose = Array.from({ length: shape.pools }, () => Number.MAX_SAFE_INTEGER);
  const peaks = peakDemands(built(activities, loose), activities, shape.pools);
  const capacity = peaks.map((peak, pool) => {
    const least = Math.max(1, ...activities.map(({ demands }) => tokensOf(demands, pool)));
    return least + Math.round(shape.resourceStrength * (Math.max(peak, least) - least));
  });
  return built(activities, capacity);
}

/** Every activity has at least one predecessor and one successor, and links go forward a limited distance. */
function projectNetwork(shape: ProjectShape, random: Chance): number[][] {
  const count = shape.activities;
  const successors: number[][] = Array.from({ length: count }, () => []);
  for (let activity = STARTS; activity < count; activity++) linkOnce(successors, random.below(activity), activity);
  for (let activity = 0; activity < count - STARTS; activity++) {
    if (successors[activity]?.length === 0)
      linkOnce(successors, activity, activity + 1 + random.below(count - activity - 1));
  }
  const wanted = Math.round(shape.networkComplexity * count);
  let links = successors.reduce((sum, list) => sum + list.length, 0);
  for (let tries = 0; links < wanted && tries < 20 * wanted; tries++) {
    const from = random.below(count - 1);
    const to = from + 1 + random.below(count - from - 1);
    if ((successors[from]?.length ?? 0) < STARTS && to >= STARTS && linkOnce(successors, from, to)) links++;
  }
  return successors;
}

function linkOnce(successors: number[][], from: number, to: number): boolean {
  const list = successors[from];
  if (list === undefined || list.includes(to)) return false;
  list.push(to);
  return true;
}

function demandsOf(shape: ProjectShape, random: Chance): Activity['demands'] {
  const demands = Array.from({ length: shape.pools }, (_, pool) => ({ pool, tokens: 1 + random.below(DEMAND_MAX) }));
  const some = demands.filter(() => random.happens(shape.resourceFactor));
  return some.length > 0 ? some : demands.slice(0, 1);
}

function tokensOf(demands: Activity['demands'], wanted: number): number {
  return demands.find(({ pool }) => pool === wanted)?.tokens ?? 0;
}

function peakDemands(problem: Problem, activities: readonly Activity[], pools: number): readonly number[] {
  const startMs = earliestStartMs(problem);
  return Array.from({ length: pools }, (_, pool) =>
    Math.max(
      ...Array.from(startMs, (at) =>
        activities.reduce((sum, { durationMs, demands }, activity) => {
          const start = startMs[activity] ?? 0;
          return start <= at && at < start + durationMs ? sum + tokensOf(demands, pool) : sum;
        }, 0),
      ),
    ),
  );
}

function durationOf(kind: TaskGraphShape['durations'], random: Chance): number {
  if (kind === 'uniform') return 1 + random.below(DURATION_MAX);
  if (kind === 'exponential') return Math.max(1, Math.round(-5 * Math.log(1 - random.next())));
  return Math.max(1, Math.round(5 + 2 * random.normal()));
}

function built(activities: readonly Activity[], capacity: readonly number[]): Problem {
  const outcome = buildProblem({ activities, capacity });
  if (outcome.type === 'impossible') throw new Error(`A generated graph has no schedule: ${outcome.reasons.join(' ')}`);
  return outcome.problem;
}
