// The serial scheme: takes activities in a given order and puts each at the earliest moment where it fits for all
// its time, gaps before what is already placed included. Such schedules always include a best one.
//
// serial-schedule/E1. The order lists every activity after all it waits for.
// serial-schedule/E2. A profile of free tokens is kept as a linked list of moments; every start and end is a moment, so
//   the earliest start of an activity is found without search.
// serial-schedule/E3. The memory is laid out once and used again for every order, since a search tries thousands.

import type { Problem } from './problem.ts';

export interface SerialScheme {
  /** Fills `startMs` by activity and returns the makespan. */
  schedule(order: Int32Array, startMs: Float64Array): number;
}

/** Written in place by this file alone. */
interface Profile {
  readonly problem: Problem;
  readonly pools: number;
  readonly timeMs: Float64Array;
  readonly next: Int32Array;
  /** Free tokens from each moment to the next, pool by pool. */
  readonly free: Float64Array;
  readonly endMs: Float64Array;
  readonly endMoment: Int32Array;
  moments: number;
}

const LAST = -1;

export function serialScheme(problem: Problem): SerialScheme {
  const pools = problem.capacity.length;
  const room = problem.count + 2;
  const profile: Profile = {
    problem,
    pools,
    timeMs: new Float64Array(room),
    next: new Int32Array(room),
    free: new Float64Array(room * pools),
    endMs: new Float64Array(problem.count),
    endMoment: new Int32Array(problem.count),
    moments: 0,
  };
  return { schedule: (order, startMs) => place(profile, order, startMs) };
}

function place(profile: Profile, order: Int32Array, startMs: Float64Array): number {
  profile.moments = 1;
  profile.timeMs[0] = 0;
  profile.next[0] = LAST;
  profile.free.set(profile.problem.capacity);
  let makespanMs = 0;
  for (const activity of order) {
    const moment = earliestMoment(profile, activity);
    startMs[activity] = profile.timeMs[moment] ?? 0;
    makespanMs = Math.max(makespanMs, occupy(profile, activity, moment));
  }
  return makespanMs;
}

function earliestMoment(profile: Profile, activity: number): number {
  const { problem, timeMs, next } = profile;
  const durationMs = problem.durationMs[activity] ?? 0;
  const kind = problem.classOf[activity] ?? 0;
  let begin = readyMoment(profile, activity);
  let moment = begin;
  while (moment !== LAST) {
    if (moment !== begin && (timeMs[moment] ?? 0) >= (timeMs[begin] ?? 0) + durationMs) return begin;
    const fits = fitsAt(profile, kind, moment);
    moment = next[moment] ?? LAST;
    if (!fits) begin = moment;
  }
  return begin;
}

/** The moment at which the last of its predecessors ends. */
function readyMoment(profile: Profile, activity: number): number {
  const { start, to } = profile.problem.predecessors;
  let readyMs = 0;
  let moment = 0;
  for (let link = start[activity] ?? 0; link < (start[activity + 1] ?? 0); link++) {
    const predecessor = to[link] ?? 0;
    const endMs = profile.endMs[predecessor] ?? 0;
    if (endMs <= readyMs) continue;
    readyMs = endMs;
    moment = profile.endMoment[predecessor] ?? 0;
  }
  return moment;
}

function fitsAt(profile: Profile, kind: number, moment: number): boolean {
  const { start, pool, tokens } = profile.problem.demands;
  const row = moment * profile.pools;
  for (let slot = start[kind] ?? 0; slot < (start[kind + 1] ?? 0); slot++) {
    if ((profile.free[row + (pool[slot] ?? 0)] ?? 0) < (tokens[slot] ?? 0)) return false;
  }
  return true;
}

/** Takes the tokens from `begin` on for the activity's time; returns its end. */
function occupy(profile: Profile, activity: number, begin: number): number {
  const { problem, timeMs, next, free, pools } = profile;
  const { start, pool, tokens } = problem.demands;
  const endMs = (timeMs[begin] ?? 0) + (problem.durationMs[activity] ?? 0);
  const kind = problem.classOf[activity] ?? 0;
  const first = start[kind] ?? 0;
  const last = start[kind + 1] ?? 0;
  let moment = begin;
  while (moment !== LAST && (timeMs[moment] ?? 0) < endMs) {
    const after = next[moment] ?? LAST;
    if (after === LAST || (timeMs[after] ?? 0) > endMs) split(profile, moment, endMs);
    const row = moment * pools;
    for (let slot = first; slot < last; slot++) {
      const index = row + (pool[slot] ?? 0);
      free[index] = (free[index] ?? 0) - (tokens[slot] ?? 0);
    }
    moment = next[moment] ?? LAST;
  }
  profile.endMs[activity] = endMs;
  profile.endMoment[activity] = moment;
  return endMs;
}

function split(profile: Profile, moment: number, atMs: number): void {
  const { next, free, pools } = profile;
  const fresh = profile.moments++;
  profile.timeMs[fresh] = atMs;
  next[fresh] = next[moment] ?? LAST;
  next[moment] = fresh;
  for (let pool = 0; pool < pools; pool++) free[fresh * pools + pool] = free[moment * pools + pool] ?? 0;
}
