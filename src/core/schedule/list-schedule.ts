// The online rule: whenever tokens become free, go through the waiting activities, highest priority first, and start
// those that fit.
//
// list-schedule/O1. An activity that does not fit is skipped: the head of the queue blocks no other activity.
// list-schedule/O2. Activities of one demand class fit or fail together, so only the best of each class is examined,
//   and a class that failed sleeps on the pool that lacked most until that pool has enough. The sleepers of a pool are
//   kept by their demand, so that the best of those that it can serve is found without a look at the others.
// list-schedule/O3. Starvation guard: when activities of lower priority have STARVATION_LIMIT times taken tokens that the
//   best of those asleep waits for, its tokens are kept free: nothing of lower priority may take them until it has
//   started. One activity at a time is kept for, so keeping cannot lock anything up, and each is the best asleep in its
//   turn.
// list-schedule/O4. An activity held for another starts no sooner than that other one.

import { graphOf, type Graph } from '../graph/directed-graph.ts';
import { emptyHeap, emptyHeaps, pop, push, topItem, topKey, type Heaps } from '../graph/heap.ts';
import { classSizes, orderBy, type Problem } from './problem.ts';
import { bestWithin, setSleeper, sleepersOf, type SleepersByPool } from './sleepers.ts';

export interface Schedule {
  readonly startMs: Float64Array;
  readonly makespanMs: number;
}

/** `held` may not start before `until` has started. */
export interface ScheduleHold {
  readonly held: number;
  readonly until: number;
}

export interface PriorityRule {
  /** By activity; the greater goes first, and the lower index among equals. */
  readonly priority: Float64Array;
  readonly holds?: readonly ScheduleHold[];
}

/** The number of starts of lower priority that may overtake a waiting activity before tokens are kept for it. */
export const PASSED_OVER_MAX = 50;

/** The mutable state of a schedule under construction; owned by this file. */
interface ScheduleState extends SleepersByPool {
  readonly problem: Problem;
  /** Place in the order of priority; 0 goes first. */
  readonly rank: Float64Array;
  readonly held: Graph | undefined;
  readonly free: Float64Array;
  /** Predecessors not ended and holds not lifted, by activity. */
  readonly missing: Int32Array;
  readonly startMs: Float64Array;
  /** Started activities by their end. */
  readonly running: Heaps;
  /** One heap per demand class: activities that wait for nothing but tokens, by rank. */
  readonly waiting: Heaps;
  /** Best activities of classes that may fit; an entry that is not the best of its class any longer is stale. */
  readonly open: Heaps;
  /** The pool a class sleeps on, or AWAKE. */
  readonly sleepsOn: Int32Array;
  /** Pools that gained tokens at this moment. */
  readonly gained: number[];
  /** Activities that did not fit, best first; the entry of an activity that no longer sleeps is stale. */
  readonly asleep: Heaps;
  /** 1 for an activity in `asleep`. */
  readonly listed: Uint8Array;
  readonly passedOver: Int32Array;
  /** Tokens kept free for `keptFor`, by pool. */
  readonly kept: Float64Array;
  keptFor: number;
  now: number;
}

const AWAKE = -1;
const NOBODY = -1;

/** The schedule of the online rule when every activity has its given duration. */
export function listSchedule(problem: Problem, rule: PriorityRule): Schedule {
  const state = startState(problem, rule);
  for (let activity = 0; activity < problem.count; activity++) {
    if (state.missing[activity] === 0) enter(state, activity);
  }
  startWhatFits(state);
  while (topItem(state.running, 0) >= 0) {
    state.now = topKey(state.running, 0);
    while (topKey(state.running, 0) <= state.now) end(state, pop(state.running, 0));
    startWhatFits(state);
  }
  return { startMs: state.startMs, makespanMs: state.now };
}

function startState(problem: Problem, { priority, holds }: PriorityRule): ScheduleState {
  const { count, predecessors, capacity, classCount } = problem;
  const order = orderBy(
    Int32Array.from(priority.keys()),
    priority.map((value) => -value),
  );
  const rank = new Float64Array(count);
  order.forEach((activity, place) => (rank[activity] = place));
  const missing = new Int32Array(count);
  for (let activity = 0; activity < count; activity++) {
    missing[activity] = (predecessors.start[activity + 1] ?? 0) - (predecessors.start[activity] ?? 0);
  }
  for (const { held } of holds ?? []) missing[held] = (missing[held] ?? 0) + 1;
  return {
    problem,
    rank,
    held: holds === undefined ? undefined : heldBy(holds, count),
    free: capacity.slice(),
    missing,
    startMs: new Float64Array(count),
    running: emptyHeap(),
    // An activity waits at most once, so the heap of a class needs no more room than its activities.
    waiting: emptyHeaps(classSizes(problem)),
    open: emptyHeap(),
    sleepsOn: new Int32Array(classCount).fill(AWAKE),
    gained: [],
    ...sleepersOf(problem),
    asleep: emptyHeap(),
    listed: new Uint8Array(count),
    passedOver: new Int32Array(count),
    kept: new Float64Array(capacity.length),
    keptFor: NOBODY,
    now: 0,
  };
}

function heldBy(holds: readonly ScheduleHold[], count: number): Graph {
  const lists: number[][] = Array.from({ length: count }, () => []);
  for (const { held, until } of holds) lists[until]?.push(held);
  return graphOf(lists);
}

function enter(state: ScheduleState, activity: number): void {
  const kind = state.problem.classOf[activity] ?? 0;
  const rank = state.rank[activity] ?? 0;
  push(state.waiting, kind, activity, rank);
  if (topItem(state.waiting, kind) !== activity) return;
  const pool = state.sleepsOn[kind] ?? AWAKE;
  if (pool === AWAKE) push(state.open, 0, activity, rank);
  else setSleeper(state, state.problem.demands, { kind, pool, rank });
}

function startWhatFits(state: ScheduleState): void {
  for (let next = nextToTry(state); next >= 0; next = nextToTry(state)) {
    const kind = state.problem.classOf[next] ?? 0;
    const lacking = lackingPool(state, next);
    if (lacking === AWAKE) {
      pop(state.waiting, kind);
      begin(state, next);
      const best = topItem(state.waiting, kind);
      if (best >= 0 && state.sleepsOn[kind] === AWAKE) push(state.open, 0, best, state.rank[best] ?? 0);
    } else {
      sleep(state, next, lacking);
    }
  }
  state.gained.length = 0;
}

/** The best activity that may fit, awake or asleep on a pool that has gained enough for it; -1 when there is none. */
function nextToTry(state: ScheduleState): number {
  let best = topAwake(state);
  let from = AWAKE;
  for (const pool of state.gained) {
    const sleeper = bestSleeper(state, pool);
    if (sleeper < 0 || (best >= 0 && (state.rank[best] ?? 0) < (state.rank[sleeper] ?? 0))) continue;
    best = sleeper;
    from = pool;
  }
  if (best < 0) return best;
  if (from === AWAKE) return pop(state.open, 0);
  const kind = state.problem.classOf[best] ?? 0;
  setSleeper(state, state.problem.demands, { kind, pool: from, rank: Infinity });
  state.sleepsOn[kind] = AWAKE;
  return best;
}

/** The top of `open`; entries that are stale are dropped on the way. */
function topAwake({ open, problem, waiting, sleepsOn }: ScheduleState): number {
  for (let top = topItem(open, 0); top >= 0; top = topItem(open, 0)) {
    const kind = problem.classOf[top] ?? 0;
    if (topItem(waiting, kind) === top && sleepsOn[kind] === AWAKE) return top;
    pop(open, 0);
  }
  return -1;
}

/** The best of those asleep on a pool that its free tokens would serve; -1 when there is none. */
function bestSleeper(state: ScheduleState, pool: number): number {
  const sleepers = state.sleepers[pool];
  if (sleepers === undefined) return -1;
  const free = state.free[pool] ?? 0;
  const best = topOf(state, bestWithin(sleepers, free));
  const yields = best >= 0 && state.keptFor !== NOBODY && (state.rank[best] ?? 0) > (state.rank[state.keptFor] ?? 0);
  // When even the best has to leave the kept tokens free, all of them have.
  return yields ? topOf(state, bestWithin(sleepers, free - (state.kept[pool] ?? 0))) : best;
}

const topOf = ({ waiting }: ScheduleState, kind: number): number => (kind < 0 ? -1 : topItem(waiting, kind));

/** The pool that lacks most for the activity, besides the tokens kept for a better one; AWAKE when it fits. */
function lackingPool(state: ScheduleState, activity: number): number {
  const { demands, classOf } = state.problem;
  const kind = classOf[activity] ?? 0;
  const yields = state.keptFor !== NOBODY && (state.rank[activity] ?? 0) > (state.rank[state.keptFor] ?? 0);
  let lacking = AWAKE;
  let most = 0;
  for (let slot = demands.start[kind] ?? 0; slot < (demands.start[kind + 1] ?? 0); slot++) {
    const pool = demands.pool[slot] ?? 0;
    const available = (state.free[pool] ?? 0) - (yields ? (state.kept[pool] ?? 0) : 0);
    const lack = (demands.tokens[slot] ?? 0) - available;
    if (lack <= most) continue;
    lacking = pool;
    most = lack;
  }
  return lacking;
}

function sleep(state: ScheduleState, activity: number, pool: number): void {
  const kind = state.problem.classOf[activity] ?? 0;
  state.sleepsOn[kind] = pool;
  setSleeper(state, state.problem.demands, { kind, pool, rank: state.rank[activity] ?? 0 });
  if (state.listed[activity] === 1) return;
  state.listed[activity] = 1;
  push(state.asleep, 0, activity, state.rank[activity] ?? 0);
}

/** Counts starts that take tokens for which the best sleeping activity waits, and finally keeps the tokens for it. */
function passOver(state: ScheduleState, started: number): void {
  const { demands, classOf } = state.problem;
  const best = bestAsleep(state);
  if (best === undefined || state.keptFor !== NOBODY || (state.rank[started] ?? 0) < (state.rank[best] ?? 0)) return;
  const kind = classOf[started] ?? 0;
  const pool = state.sleepsOn[classOf[best] ?? 0] ?? AWAKE;
  for (let slot = demands.start[kind] ?? 0; slot < (demands.start[kind + 1] ?? 0); slot++) {
    if (demands.pool[slot] !== pool) continue;
    const passes = (state.passedOver[best] ?? 0) + 1;
    state.passedOver[best] = passes;
    if (passes >= PASSED_OVER_MAX) keepFor(state, best);
  }
}

/** The best activity that does not fit; entries of activities that have started are dropped on the way. */
function bestAsleep(state: ScheduleState): number | undefined {
  for (let best = topItem(state.asleep, 0); best >= 0; best = topItem(state.asleep, 0)) {
    const kind = state.problem.classOf[best] ?? 0;
    if (state.sleepsOn[kind] !== AWAKE && topItem(state.waiting, kind) === best) return best;
    pop(state.asleep, 0);
    state.listed[best] = 0;
  }
  return undefined;
}

function keepFor(state: ScheduleState, activity: number): void {
  const { demands, classOf } = state.problem;
  const kind = classOf[activity] ?? 0;
  state.keptFor = activity;
  for (let slot = demands.start[kind] ?? 0; slot < (demands.start[kind + 1] ?? 0); slot++) {
    state.kept[demands.pool[slot] ?? 0] = demands.tokens[slot] ?? 0;
  }
}

function begin(state: ScheduleState, activity: number): void {
  const { problem } = state;
  const endMs = state.now + (problem.durationMs[activity] ?? 0);
  state.startMs[activity] = state.now;
  if (state.keptFor === activity) {
    // The kept tokens become held tokens, so the free tokens of all others stay the same and no class needs waking.
    state.kept.fill(0);
    state.keptFor = NOBODY;
  }
  passOver(state, activity);
  move(state, activity, -1);
  if (state.held !== undefined) lift(state, state.held, activity);
  // An activity without duration ends at once, so that its successors are examined in the same time step.
  if (endMs <= state.now) end(state, activity);
  else push(state.running, 0, activity, endMs);
}

function end(state: ScheduleState, activity: number): void {
  move(state, activity, 1);
  lift(state, state.problem.successors, activity);
}

/** Gives (1) or takes (-1) the activity's tokens. */
function move(state: ScheduleState, activity: number, sign: number): void {
  const { demands, classOf } = state.problem;
  const kind = classOf[activity] ?? 0;
  for (let slot = demands.start[kind] ?? 0; slot < (demands.start[kind + 1] ?? 0); slot++) {
    const pool = demands.pool[slot] ?? 0;
    state.free[pool] = (state.free[pool] ?? 0) + sign * (demands.tokens[slot] ?? 0);
    if (sign > 0 && !state.gained.includes(pool)) state.gained.push(pool);
  }
}

function lift(state: ScheduleState, waiters: Graph, activity: number): void {
  for (let link = waiters.start[activity] ?? 0; link < (waiters.start[activity + 1] ?? 0); link++) {
    const waiting = waiters.to[link] ?? 0;
    const left = (state.missing[waiting] ?? 0) - 1;
    state.missing[waiting] = left;
    if (left === 0) enter(state, waiting);
  }
}
