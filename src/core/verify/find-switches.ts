// Finds the switches of a workflow net: sets of places beside the flow, for which no transition waits for ever.
//
// find-switches/S1. A transition that changes a switch needs nothing outside of it.
// find-switches/S2. From each marking of a switch all its other markings can be reached. So whatever the flow does
//   meanwhile, a switch can always be brought into any of them.
// find-switches/S3. For each other transition that reads a switch, one of these markings has all that it reads there.

import { at } from '../assert.ts';
import { componentsOf } from '../graph/components.ts';
import { graphOfEdges, type Edge } from '../graph/directed-graph.ts';
import type { Arcs } from '../net/net.ts';
import { changesIn, closedSets } from './closed-sets.ts';
import { explore, isEnabledIn, type SearchLimits } from './search/explore.ts';
import type { FlatNet } from './search/flat-net.ts';
import { firstThatCannotReach } from './search/search-soundness.ts';

interface FlowParts {
  /** The source and the sinks. */
  readonly ends: readonly number[];
  readonly resources: readonly number[];
}

/** A set of places, with the transitions that change it and the others that read it. */
interface UsedSet {
  readonly places: readonly number[];
  readonly changing: number[];
  readonly reading: number[];
}

/** The most sets whose markings are searched; those of plans are plain cycles, and need no search. */
const SEARCHES_MAX = 100;
const LIMITS: SearchLimits = { markingsMax: 4_000, wordsMax: 1_000_000, triesMax: 2_000_000 };

export interface Switches {
  readonly switches: readonly (readonly number[])[];
  /** The transitions that change a switch. */
  readonly flips: ReadonlySet<number>;
}

export function findSwitches(flat: FlatNet, { ends, resources }: FlowParts): Switches {
  const isResource = new Set(resources);
  const sets = closedSets(flat, ends).filter(
    (places) => places.length > 1 && places.some((place) => isResource.has(place)),
  );
  let searches = 0;
  const found = usedSets(flat, sets).filter((set) => {
    if (isCycle(flat, set)) return true;
    searches += 1;
    return searches <= SEARCHES_MAX && comesBack(flat, set);
  });
  return {
    switches: found.map(({ places }) => places),
    flips: new Set(found.flatMap(({ changing }) => changing)),
  };
}

function usedSets(flat: FlatNet, sets: readonly (readonly number[])[]): readonly UsedSet[] {
  const used = sets.map((places): UsedSet => ({ places, changing: [], reading: [] }));
  if (used.length === 0) return used;
  const setOf = new Int32Array(flat.placeCount).fill(-1);
  for (const [index, { places }] of used.entries()) for (const place of places) setOf[place] = index;
  const changes = changesIn(flat);
  for (let transition = 0; transition < flat.transitionCount; transition += 1) {
    let changed = -1;
    changes(transition, (place) => (changed = at(setOf, place)));
    if (changed >= 0) used[changed]?.changing.push(transition);
    else
      for (const index of new Set(placesIn(flat.takes, transition).map((place) => at(setOf, place))))
        used[index]?.reading.push(transition);
  }
  return used;
}

/** Whether single tokens go round in the set, each to every place, and there are as many as each transition reads. */
function isCycle({ takes, gives, initial }: FlatNet, { places, changing, reading }: UsedSet): boolean {
  const numberOf = new Map(places.map((place, number) => [place, number]));
  const moves: Edge[] = [];
  for (const transition of changing) {
    const [from, to] = [onlyPlace(takes, transition), onlyPlace(gives, transition)].map((place) =>
      numberOf.get(place ?? -1),
    );
    if (from === undefined || to === undefined) return false;
    moves.push({ from, to });
  }
  if (componentsOf(graphOfEdges(places.length, moves)).some((component) => component > 0)) return false;
  const tokens = places.reduce((sum, place) => sum + at(initial, place), 0);
  return reading.every((transition) => {
    let read = 0;
    for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1)
      if (numberOf.has(at(takes.place, arc))) read += at(takes.weight, arc);
    return read <= tokens;
  });
}

/** Whether a search of the set alone finds that it is a switch. */
function comesBack(flat: FlatNet, { places, changing, reading }: UsedSet): boolean {
  const numberOf = new Map(places.map((place, number) => [place, number]));
  const own = partOf(flat, numberOf, changing);
  const readers = partOf(flat, numberOf, reading);
  let waiting = [...reading.keys()];
  const exploration = explore(own, {
    limits: LIMITS,
    visit: (marking) => {
      waiting = waiting.filter((reader) => !isEnabledIn(readers, marking, reader));
      return false;
    },
  });
  return (
    exploration.ending.type === 'complete' &&
    waiting.length === 0 &&
    exploration.hasFired.every((fired) => fired === 1) &&
    firstThatCannotReach(exploration, [0]) === undefined
  );
}

/** These transitions with their arcs to these places, as a net of its own. */
function partOf(flat: FlatNet, numberOf: ReadonlyMap<number, number>, transitions: readonly number[]): FlatNet {
  const arcsOf = (arcs: Arcs): Arcs => {
    const start = [0];
    const place: number[] = [];
    const weight: number[] = [];
    for (const transition of transitions) {
      for (let arc = at(arcs.start, transition); arc < at(arcs.start, transition + 1); arc += 1) {
        const number = numberOf.get(at(arcs.place, arc));
        if (number === undefined) continue;
        place.push(number);
        weight.push(at(arcs.weight, arc));
      }
      start.push(place.length);
    }
    return { start: Int32Array.from(start), place: Int32Array.from(place), weight: Int32Array.from(weight) };
  };
  return {
    placeCount: numberOf.size,
    transitionCount: transitions.length,
    takes: arcsOf(flat.takes),
    gives: arcsOf(flat.gives),
    initial: Int32Array.from(numberOf.keys(), (place) => at(flat.initial, place)),
  };
}

const placesIn = (arcs: Arcs, transition: number): readonly number[] => [
  ...arcs.place.subarray(at(arcs.start, transition), at(arcs.start, transition + 1)),
];

/** The only place of a transition's arcs, when there is exactly one and its weight is one. */
function onlyPlace(arcs: Arcs, transition: number): number | undefined {
  const begin = at(arcs.start, transition);
  return at(arcs.start, transition + 1) === begin + 1 && arcs.weight[begin] === 1 ? arcs.place[begin] : undefined;
}
