// A small genetic search over lists of activities. Each list becomes a schedule and is improved forwards and backwards;
// good lists are crossed, and the worst give way. A population that has grown barren is left for a fresh one, since a
// second start finds more than a long stay.
//
// evolve/G1. Where holds are not allowed, every member is a schedule of the online rule.
// evolve/G2. No two members have the same schedule, so that the population does not collapse into one.

import { crossLists, sampleList, shakeList } from './activity-list.ts';
import type { Chance } from './chance.ts';
import { justify, JUSTIFY_SCHEDULES, orderOfStarts, priorityOf, workbench, type Workbench } from './justify.ts';
import { listSchedule, type Schedule } from './list-schedule.ts';
import { longestRemainingMs, tailAfterMs } from './priorities.ts';
import type { Problem } from './problem.ts';
import type { SearchInput } from './search-input.ts';

interface Member extends Schedule {
  readonly order: Int32Array;
}

/** Schedules built for one member. */
const SERIAL_COST = 1 + JUSTIFY_SCHEDULES;
const ONLINE_COST = 2 + JUSTIFY_SCHEDULES;
const POPULATION = 30;
/** Children in a row without an improvement, after which the population is replaced. */
const BARREN_MAX = 300;
/** The part of neighbours in a child that change places. */
const SHAKEN_SHARE = 0.05;

/** The shortest schedule found; not longer than the first. */
export function evolve(input: SearchInput): Schedule {
  const { problem, random, options, boundMs } = input;
  const bench = workbench(problem);
  const priorities = [tailAfterMs(problem), longestRemainingMs(problem), input.first.priority];
  const blind = new Float64Array(problem.count);
  const decoded = options.mayHold === true ? decodedSerially : decodedOnline;
  const cost = options.mayHold === true ? SERIAL_COST : ONLINE_COST;
  let best = decoded(bench, orderOfStarts(problem, input.first.schedule.startMs));
  let members: Member[] = [best];
  let barren = 0;
  let isKnown = false;
  for (let schedules = cost; schedules < options.schedulesMax; schedules += cost) {
    if (best.makespanMs <= boundMs || options.shouldStop?.() === true) break;
    // Where the priorities only repeat earlier draws, unbiased draws find orders that the priorities always put off.
    const priority = isKnown ? blind : (priorities[random.below(priorities.length)] ?? blind);
    const list =
      members.length < POPULATION ? sampleList(problem, priority, random) : childOf(problem, members, random);
    const fresh = decoded(bench, list);
    barren = fresh.makespanMs < (members[0]?.makespanMs ?? Infinity) ? 0 : barren + 1;
    isKnown = !admit(members, fresh);
    if (fresh.makespanMs < best.makespanMs) best = fresh;
    if (barren <= BARREN_MAX) continue;
    members = [];
    barren = 0;
  }
  return best;
}

/** By the serial scheme, which reaches every schedule worth having. */
function decodedSerially(bench: Workbench, list: Int32Array): Member {
  const startMs = new Float64Array(list.length);
  bench.forward.schedule(list, startMs);
  const makespanMs = justify(bench, startMs);
  return { startMs, makespanMs, order: orderOfStarts(bench.problem, startMs) };
}

/** By the online rule, which is run again in the order of the improved schedule; the shorter of the two is kept. */
function decodedOnline(bench: Workbench, list: Int32Array): Member {
  const { problem } = bench;
  const given = listSchedule(problem, { priority: priorityOf(list) });
  const improvedMs = given.startMs.slice();
  justify(bench, improvedMs);
  const again = listSchedule(problem, { priority: priorityOf(orderOfStarts(problem, improvedMs)) });
  const { startMs, makespanMs } = again.makespanMs <= given.makespanMs ? again : given;
  return { startMs, makespanMs, order: orderOfStarts(problem, startMs) };
}

function childOf(problem: Problem, members: readonly Member[], random: Chance): Int32Array {
  const parent = (): Int32Array => {
    // Members are sorted, so the better of two is the one nearer the front.
    const place = Math.min(random.below(members.length), random.below(members.length));
    return members[place]?.order ?? problem.topological;
  };
  const child = crossLists({ one: parent(), other: parent() }, random);
  return shakeList(problem, child, { share: SHAKEN_SHARE, random });
}

/** Keeps the members sorted, shortest first, and at most POPULATION of them; false when one has the same schedule. */
function admit(members: Member[], fresh: Member): boolean {
  let place = members.length;
  while (place > 0 && (members[place - 1]?.makespanMs ?? 0) > fresh.makespanMs) place--;
  for (let same = place - 1; same >= 0 && members[same]?.makespanMs === fresh.makespanMs; same--) {
    if (members[same]?.startMs.every((start, activity) => start === fresh.startMs[activity]) === true) return false;
  }
  members.splice(place, 0, fresh);
  if (members.length > POPULATION) members.pop();
  return true;
}
