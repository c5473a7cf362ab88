// Soundness by looking at every marking that can be reached.
//
// Sound means: from each of them an end can still be reached; the sink is marked in no other; each transition can fire
// in some. An end has one token on the sink, every resource as at the start, all else empty; a switch may stand either
// way. Where there are several sinks, at most one token lies on each and at least one on some, and one may be marked
// before the rest has ended.

import { reversed } from '../../graph/directed-graph.ts';
import { reachable } from '../../graph/reach.ts';
import { at } from '../../assert.ts';
import { explore, markingAt, stepsOf, traceOf } from './explore.ts';
import type { FlatNet } from './flat-net.ts';
import type { Exploration, LimitName, SearchLimits } from './explore.ts';

export interface WorkflowEnds {
  readonly sinks: readonly number[];
  /** By place: what it holds when the net has ended; sinks aside. */
  readonly final: Int32Array;
  /** Pairs of places of which one holds a token; either may when the net has ended. */
  readonly switches: readonly (readonly [number, number])[];
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
  // What lies on the only sink cannot be the end any more; of several sinks, each may be reached once.
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

function endTest({ sinks, final, switches }: WorkflowEnds): (marking: Int32Array) => boolean {
  const isFree = new Int32Array(final.length);
  for (const place of [...switches.flat(), ...sinks]) isFree[place] = 1;
  return (marking) =>
    marking.every((tokens, place) => tokens === at(final, place) || at(isFree, place) === 1) &&
    sinks.every((sink) => at(marking, sink) <= 1) &&
    sinks.some((sink) => at(marking, sink) === 1) &&
    switches.every(([on, off]) => at(marking, on) + at(marking, off) === at(final, on) + at(final, off));
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

/** Walks the steps backwards from the finals; the first marking met that this does not touch can never reach one. */
export function firstThatCannotReach(exploration: Exploration, finals: readonly number[]): number | undefined {
  const stuck = reachable(reversed(stepsOf(exploration)), finals).indexOf(0);
  return stuck < 0 ? undefined : stuck;
}
