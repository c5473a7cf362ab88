// Removes whole regions from a net in one pass, before the net is linked for the rules that work arc by arc.
//
// A region consists of ordinary places from which every transition takes one token and nothing else. A token in a
// region moves alone: no other token helps or hinders it. Where all exits of a region give the same tokens, and an exit
// can always be reached, the time of leaving makes no difference. So the transitions that fill the region give the
// tokens of the exit instead, and the places and transitions of the region are removed. Any run of the collapsed net is
// a run of the original net in which the token leaves at once. Any run of the original net becomes a run of the
// collapsed net when every token leaves as soon as it has arrived.
//
// collapse/G1. A place is removed only when a transition outside the region fills it, so no dead transition disappears
//   unnoticed.
// collapse/G2. The exit gives to places outside all regions, at least one of which must be empty when the net ends. A
//   token that would still be in the region at the end is therefore still reported as left over.
//
// The life of a step, a check or a merge is such a region: little more than the needs remains of a compiled plan.

import { at } from '../../assert.ts';
import { emptyNumbers, finished, append } from '../../net/numbers.ts';
import { filledFromOutside, findRegions, pathsOut } from './regions.ts';
import { NONE } from './linked-net.ts';
import type { Arcs } from '../../net/net.ts';
import type { Numbers } from '../../net/numbers.ts';
import type { LinkedParts } from './link-net.ts';
import type { Regions } from './regions.ts';

/** The collapsed net with its new numbers, and by new number the old one. */
export interface Collapsed extends LinkedParts {
  readonly placeOf: Int32Array;
  readonly transitionOf: Int32Array;
  /** By old number of a place that was removed with its region: a transition on a shortest path to the exit, else NONE. */
  readonly drainedBy: () => Int32Array;
}

export function collapse({ flat, role, stripped }: LinkedParts): Collapsed {
  const regions = findRegions({ flat, role, stripped });
  const isFilled = filledFromOutside(regions);
  const standing = new Uint8Array(flat.placeCount);
  for (let place = 0; place < flat.placeCount; place += 1) {
    if (at(stripped, place) === 1) standing[place] = GONE;
    else if (at(regions.wayOut, place) >= 0 && isFilled[place] === 1) standing[place] = LEFT_OUT;
  }
  return withoutPlaces(regions, standing);
}

/** The fate of a place: kept, stripped before, or removed with its region. */
const STAYS = 0;
const GONE = 1;
const LEFT_OUT = 2;

/** Transitions that gave to a region give the tokens of its exit; everything else is copied under new numbers. */
function withoutPlaces(regions: Regions, standing: Uint8Array): Collapsed {
  const { flat, role, sole } = regions;
  const placeOf = numbersWhere(flat.placeCount, (place) => standing[place] === STAYS);
  const transitionOf = numbersWhere(flat.transitionCount, (transition) => {
    const from = at(sole, transition);
    return from === NONE || standing[from] !== LEFT_OUT;
  });
  const numberOf = new Int32Array(flat.placeCount).fill(NONE);
  placeOf.forEach((place, number) => {
    numberOf[place] = number;
  });
  const copying: Copying = { regions, standing, numberOf };
  const takes = growingArcs(placeOf.length);
  const gives = growingArcs(placeOf.length);
  for (const transition of transitionOf) {
    copyArcs(copying, flat.takes, { transition, times: 1, to: takes });
    copyArcs(copying, flat.gives, { transition, times: 1, to: gives });
    endTransition(takes);
    endTransition(gives);
  }
  const numbered = (values: Int32Array): Int32Array => placeOf.map((place) => at(values, place));
  return {
    flat: {
      placeCount: placeOf.length,
      transitionCount: transitionOf.length,
      takes: finishedArcs(takes),
      gives: finishedArcs(gives),
      initial: numbered(flat.initial),
    },
    role: numbered(role),
    stripped: new Int32Array(placeOf.length),
    placeOf,
    transitionOf,
    drainedBy: () => pathsOut(regions).map((transition, place) => (standing[place] === LEFT_OUT ? transition : NONE)),
  };
}

function numbersWhere(count: number, isWanted: (number: number) => boolean): Int32Array {
  const found = new Int32Array(count);
  let length = 0;
  for (let number = 0; number < count; number += 1) {
    if (!isWanted(number)) continue;
    found[length] = number;
    length += 1;
  }
  return found.slice(0, length);
}

interface Copying {
  readonly regions: Regions;
  readonly standing: Uint8Array;
  readonly numberOf: Int32Array;
}

interface Copied {
  readonly transition: number;
  readonly times: number;
  readonly to: CollapsedArcs;
}

function copyArcs(copying: Copying, arcs: Arcs, { transition, times, to }: Copied): void {
  const { regions, standing, numberOf } = copying;
  for (let arc = at(arcs.start, transition); arc < at(arcs.start, transition + 1); arc += 1) {
    const place = at(arcs.place, arc);
    const weight = times * at(arcs.weight, arc);
    if (standing[place] === STAYS) addArc(to, at(numberOf, place), weight);
    else if (standing[place] === LEFT_OUT) {
      // Only givers get here, and an exit gives to places outside all regions (collapse/G2), so the recursion is one
      // level deep.
      copyArcs(copying, regions.flat.gives, { transition: at(regions.wayOut, place), times: weight, to });
    }
  }
}

interface CollapsedArcs {
  readonly start: Numbers;
  readonly place: Numbers;
  readonly weight: Numbers;
  /** By place: the position of its last arc; valid only if that arc belongs to the transition being written. */
  readonly lastArc: Int32Array;
}

function growingArcs(placeCount: number): CollapsedArcs {
  const start = emptyNumbers();
  append(start, 0);
  return { start, place: emptyNumbers(), weight: emptyNumbers(), lastArc: new Int32Array(placeCount).fill(NONE) };
}

function addArc(
  { start, place: places, weight: weights, lastArc }: CollapsedArcs,
  place: number,
  weight: number,
): void {
  const last = at(lastArc, place);
  if (last >= at(start.items, start.length - 1)) {
    weights.items[last] = at(weights.items, last) + weight;
    return;
  }
  lastArc[place] = places.length;
  append(places, place);
  append(weights, weight);
}

const endTransition = ({ start, place }: CollapsedArcs): void => append(start, place.length);

const finishedArcs = ({ start, place, weight }: CollapsedArcs): Arcs => ({
  start: finished(start),
  place: finished(place),
  weight: finished(weight),
});
