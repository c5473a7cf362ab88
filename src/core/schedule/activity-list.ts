// Orders of activities for the search to try: drawn around a priority, crossed from two good ones, shaken a little.
//
// activity-list/A1. Every list names each activity once, after all it waits for.

import type { Chance } from './chance.ts';
import type { Problem } from './problem.ts';

export interface Parents {
  readonly one: Int32Array;
  readonly other: Int32Array;
}

/** How sharply drawing favours the better of two activities; 0 would be blind. */
const BIAS = 2;
/** The part of a list, about its middle, that a child takes in the order of its other parent. */
const CROSSED_SHARE_MIN = 0.25;
const CROSSED_SHARE_MAX = 0.75;

/** Draws the next among those whose predecessors are all listed, the likelier the more it would be regretted. */
export function sampleList(problem: Problem, priority: Float64Array, random: Chance): Int32Array {
  const { count, successors, predecessors } = problem;
  const missing = new Int32Array(count);
  const eligible: number[] = [];
  const order = new Int32Array(count);
  for (let activity = 0; activity < count; activity++) {
    const waitsFor = (predecessors.start[activity + 1] ?? 0) - (predecessors.start[activity] ?? 0);
    missing[activity] = waitsFor;
    if (waitsFor === 0) eligible.push(activity);
  }
  for (let place = 0; place < count; place++) {
    const drawn = drawOne(eligible, priority, random);
    const activity = eligible[drawn] ?? 0;
    eligible[drawn] = eligible[eligible.length - 1] ?? 0;
    eligible.pop();
    order[place] = activity;
    for (let link = successors.start[activity] ?? 0; link < (successors.start[activity + 1] ?? 0); link++) {
      const successor = successors.to[link] ?? 0;
      const left = (missing[successor] ?? 0) - 1;
      missing[successor] = left;
      if (left === 0) eligible.push(successor);
    }
  }
  return order;
}

function drawOne(eligible: readonly number[], priority: Float64Array, random: Chance): number {
  let worst = Infinity;
  let best = -Infinity;
  for (const activity of eligible) {
    const value = priority[activity] ?? 0;
    worst = Math.min(worst, value);
    best = Math.max(best, value);
  }
  // Regrets are measured against their own spread, so that the unit of time does not matter.
  const spread = Math.max(best - worst, Number.MIN_VALUE);
  const weightOf = (activity: number): number => (((priority[activity] ?? 0) - worst) / spread + 0.1) ** BIAS;
  let total = 0;
  for (const activity of eligible) total += weightOf(activity);
  let left = random.next() * total;
  for (let place = 0; place < eligible.length - 1; place++) {
    left -= weightOf(eligible[place] ?? 0);
    if (left < 0) return place;
  }
  return eligible.length - 1;
}

/** A child that follows `one`, save for a stretch that it takes in the order of `other`. */
export function crossLists({ one, other }: Parents, random: Chance): Int32Array {
  const count = one.length;
  const share = CROSSED_SHARE_MIN + random.next() * (CROSSED_SHARE_MAX - CROSSED_SHARE_MIN);
  const length = Math.max(1, Math.round(share * count));
  const from = random.below(count - length + 1);
  const child = new Int32Array(count);
  const taken = new Uint8Array(count);
  let filled = 0;
  const take = (list: Int32Array, until: number): void => {
    for (let place = 0; filled < until && place < count; place++) {
      const activity = list[place] ?? 0;
      if (taken[activity] === 1) continue;
      taken[activity] = 1;
      child[filled++] = activity;
    }
  };
  take(one, from);
  take(other, from + length);
  take(one, count);
  return child;
}

/** Swaps some neighbours that do not wait for each other; changes the list in place. */
export function shakeList(problem: Problem, list: Int32Array, shake: { share: number; random: Chance }): Int32Array {
  const { start, to } = problem.successors;
  for (let place = 0; place + 1 < list.length; place++) {
    if (!shake.random.happens(shake.share)) continue;
    const here = list[place] ?? 0;
    const next = list[place + 1] ?? 0;
    if (to.subarray(start[here], start[here + 1]).includes(next)) continue;
    list[place] = next;
    list[place + 1] = here;
  }
  return list;
}
