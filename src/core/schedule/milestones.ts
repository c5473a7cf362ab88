// Milestones are activities that take no time and hold nothing: they only join links. A schedule does not need them.
//
// milestones/M1. What is left waits for the same activities as before, directly or through the milestones that stay.
// milestones/M2. The number of links does not grow: a milestone stays where leaving it out would add links.

import { graphOf, positionsIn, reversed } from '../graph/directed-graph.ts';
import type { Problem } from './problem.ts';

export interface WithoutMilestones {
  readonly problem: Problem;
  /** By activity of this problem: the activity of the problem it came from. */
  readonly activityOf: Int32Array;
  /** The other way round; -1 for a milestone that was left out. */
  readonly indexOf: Int32Array;
}

/** `isMilestone` may only name activities of no time. */
export function withoutMilestones(full: Problem, isMilestone: (activity: number) => boolean): WithoutMilestones {
  const after = neighboursOf(full.count, full.successors);
  const before = neighboursOf(full.count, full.predecessors);
  const activityOf = Int32Array.from({ length: full.count }, (_, activity) => activity).filter(
    (activity) => !(isMilestone(activity) && isBypassed(activity, before, after)),
  );
  const indexOf = positionsIn(activityOf, full.count);
  const successors = graphOf(
    [...activityOf].map((activity) => [...(after[activity] ?? [])].map((next) => indexOf[next] ?? -1)),
  );
  const topological = full.topological.map((activity) => indexOf[activity] ?? -1).filter((index) => index >= 0);
  const of = (values: Float64Array | Int32Array): number[] => [...activityOf].map((activity) => values[activity] ?? 0);
  const problem: Problem = {
    ...full,
    count: activityOf.length,
    durationMs: Float64Array.from(of(full.durationMs)),
    classOf: Int32Array.from(of(full.classOf)),
    successors,
    predecessors: reversed(successors),
    topological,
  };
  return { problem, activityOf, indexOf };
}

const neighboursOf = (count: number, { start, to }: Problem['successors']): Set<number>[] =>
  Array.from({ length: count }, (_, activity) => new Set(to.subarray(start[activity], start[activity + 1])));

/** Links what came before the activity with what came after it, unless that takes more links than it saves. */
function isBypassed(activity: number, before: readonly Set<number>[], after: readonly Set<number>[]): boolean {
  const [from, to] = [before[activity] ?? new Set<number>(), after[activity] ?? new Set<number>()];
  if (from.size * to.size > from.size + to.size) return false;
  for (const earlier of from) {
    after[earlier]?.delete(activity);
    for (const later of to) after[earlier]?.add(later);
  }
  for (const later of to) {
    before[later]?.delete(activity);
    for (const earlier of from) before[later]?.add(earlier);
  }
  return true;
}
