// Soundness by exploring every reachable marking.
//
// A net is sound when a final marking can be reached from each reachable marking, the sink is marked in no other
// marking, and each transition can fire in some marking. A final marking has one token on the sink, every resource as
// in the initial marking, and no other token; a switch may be on or off. A net with several sinks ends with at most one
// token on each and at least one in all, and a sink may be marked before the rest has ended.

import { reversed } from '../../graph/directed-graph.ts';
import { reachable } from '../../graph/reach.ts';
import { at } from '../../assert.ts';
import { explore, markingAt, stepsOf, traceOf } from './explore.ts';
import type { FlatNet } from './flat-net.ts';
import type { Exploration, LimitName, SearchLimits } from './explore.ts';

export interface WorkflowEnds {
  readonly sinks: readonly number[];
  /** By place: its tokens in a final marking; sinks excluded. */
  readonly final: Int32Array;
  /** Sets of places that change by themselves; any of their markings may be that at the end. */
  readonly switches: readonly (readonly number[])[];
}

export type SoundnessFault = 'deadlock' | 'left-over' | 'cannot-finish' | 'unbounded';

export type SearchResult =
  | { readonly type: 'sound'; readonly markings: number }
  | {
      readonly type: 'faulty';
      readonly fault: SoundnessFault;
      readonly trace: readonly number[];
      readonly marking: Int32Array;
    }
  | { readonly type: 'dead'; readonly transition: number }
  | { readonly type: 'unknown'; readonly limit: LimitName; readonly most: number };

export function searchSoundness(net: FlatNet, ends: WorkflowEnds, limits: SearchLimits): SearchResult {
  const isEnd = endTest(ends);
  // With a single sink, a marked sink in a non-final marking is a fault; each of several sinks may be marked early.
  const most = ends.sinks.length === 1 ? 0 : 1;
  const isSpoilt = (marking: Int32Array): boolean => ends.sinks.some((sink) => at(marking, sink) > most);
  const finals: number[] = [];
  let fault: SoundnessFault = 'deadlock';
  const exploration = explore(net, {
    limits,
    visit: (marking, enabled, index) => {
      if (isEnd(marking)) {
        finals.push(index);
        return false;
      }
      fault = isSpoilt(marking) ? 'left-over' : 'deadlock';
      return fault === 'left-over' || enabled === 0;
    },
  });
  const { ending } = exploration;
  switch (ending.type) {
    case 'limit':
      return { type: 'unknown', limit: ending.limit, most: ending.most };
    case 'stopped':
      return faulty(exploration, fault, ending.at);
    case 'unbounded':
      return faulty(exploration, 'unbounded', ending.at);
    case 'complete':
      return judgeWhole(exploration, finals);
  }
}

/** Whether a marking is final. */
export function endTest({ sinks, final, switches }: WorkflowEnds): (marking: Int32Array) => boolean {
  const isFree = new Int32Array(final.length);
  for (const place of [...switches.flat(), ...sinks]) isFree[place] = 1;
  return (marking) =>
    marking.every((tokens, place) => tokens === at(final, place) || at(isFree, place) === 1) &&
    sinks.every((sink) => at(marking, sink) <= 1) &&
    sinks.some((sink) => at(marking, sink) === 1);
}

const faulty = (exploration: Exploration, fault: SoundnessFault, index: number): SearchResult => ({
  type: 'faulty',
  fault,
  trace: traceOf(exploration, index),
  marking: markingAt(exploration, index),
});

function judgeWhole(exploration: Exploration, finals: readonly number[]): SearchResult {
  const stuck = firstThatCannotReach(exploration, finals);
  if (stuck !== undefined) return faulty(exploration, 'cannot-finish', stuck);
  const dead = exploration.hasFired.indexOf(0);
  if (dead >= 0) return { type: 'dead', transition: dead };
  return { type: 'sound', markings: exploration.store.count };
}

/** Walks the steps backwards from the final markings; the first marking that is not reached cannot reach an end. */
export function firstThatCannotReach(exploration: Exploration, finals: readonly number[]): number | undefined {
  const stuck = reachable(reversed(stepsOf(exploration)), finals).indexOf(0);
  return stuck < 0 ? undefined : stuck;
}
