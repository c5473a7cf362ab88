import { at } from '../../assert.ts';
import { arcsOfPort, GIVES, portOf, SINK, SOURCE, TAKES } from './linked-net.ts';
import type { FlatNet } from '../search/flat-net.ts';
import type { ArcEnd, LinkedNet } from './linked-net.ts';

/** The net that remains after reduction, renumbered. */
export interface Residue {
  readonly net: FlatNet;
  readonly sinks: readonly number[];
  /** The final marking of all places except the sinks. */
  readonly final: Int32Array;
  readonly placeOf: readonly number[];
  readonly transitionOf: readonly number[];
}

export function residueOf(linked: LinkedNet, initial: Int32Array): Residue {
  const placeOf = Array.from({ length: linked.placeCount }, (_, place) => place).filter(
    (place) => at(linked.isGone, place) === 0,
  );
  const indexOf = new Int32Array(linked.placeCount);
  placeOf.forEach((place, index) => {
    indexOf[place] = index;
  });
  const transitionOf = Array.from({ length: linked.transitionCount }, (_, transition) => transition).filter(
    (each) => at(linked.sizeOfPort, portOf(each, TAKES)) + at(linked.sizeOfPort, portOf(each, GIVES)) > 0,
  );
  const arcs = (side: number): FlatNet['takes'] => {
    const lists = transitionOf.map((transition) => arcsOfPort(linked, portOf(transition, side)));
    return flatArcs(lists, indexOf);
  };
  const holding = (atSource: number): Int32Array =>
    Int32Array.from(placeOf, (place) => (at(linked.role, place) === SOURCE ? atSource : at(initial, place)));
  return {
    net: {
      placeCount: placeOf.length,
      transitionCount: transitionOf.length,
      takes: arcs(TAKES),
      gives: arcs(GIVES),
      initial: holding(1),
    },
    sinks: [...placeOf.keys()].filter((index) => at(linked.role, placeOf[index] ?? 0) === SINK),
    final: holding(0),
    placeOf,
    transitionOf,
  };
}

function flatArcs(lists: readonly (readonly ArcEnd[])[], indexOf: Int32Array): FlatNet['takes'] {
  const start = new Int32Array(lists.length + 1);
  lists.forEach((list, index) => {
    start[index + 1] = at(start, index) + list.length;
  });
  const ends = lists.flat();
  return {
    start,
    place: Int32Array.from(ends, ({ place }) => at(indexOf, place)),
    weight: Int32Array.from(ends, ({ weight }) => weight),
  };
}
