// Takes whole regions out of a net in one sweep, before it is linked for the rules that work arc by arc.
//
// A region is made of ordinary places from which every transition takes one token and nothing else. A token in it
// moves alone: no other token helps or hinders it. Where all ways out of a place, however far, give the same tokens,
// and a way out can always be reached, the moment of leaving makes no difference. So the transitions that fill the
// place give what the way out gives, and the place and its takers are left out. Any run of what is left is a run of the net in which the
// token leaves at once; any run of the net becomes one of what is left when every token leaves as soon as it has come.
//
// collapse/G1. A place is left out only when something outside fills its region, so nothing dead disappears unseen.
// collapse/G2. What the way out gives lies outside all regions, and some of it on a place that must be empty when the
//   net ends: then a token that would still wander at the end is still seen to be left over.
// The life of a step, a check, a merge is such a region: of a compiled plan little more than the needs remains.

import { at } from '../../assert.ts';
import { emptyNumbers, finished, append } from '../../net/numbers.ts';
import { filledFromOutside, findRegions, NONE } from './regions.ts';
import type { Arcs } from '../../net/net.ts';
import type { Numbers } from '../../net/numbers.ts';
import type { LinkedParts } from './link-net.ts';
import type { Regions } from './regions.ts';

/** What is left, numbered anew, and by its numbers those of the net it came from. */
export interface Collapsed extends LinkedParts {
  readonly placeOf: Int32Array;
  readonly transitionOf: Int32Array;
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

/** How a place stands in what is left: it stays, or it was stripped before, or its region is left out. */
const STAYS = 0;
const GONE = 1;
const LEFT_OUT = 2;

/** Transitions that gave to a region give what its way out gives; the rest is copied under new numbers. */
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
      // Only givers come here, and what a way out gives lies outside all regions (collapse/G2), so this goes one deep.
      copyArcs(copying, regions.flat.gives, { transition: at(regions.wayOut, place), times: weight, to });
    }
  }
}

interface CollapsedArcs {
  readonly start: Numbers;
  readonly place: Numbers;
  readonly weight: Numbers;
  /** By place: where its last arc was written; counts only if it belongs to the transition that is being written. */
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
