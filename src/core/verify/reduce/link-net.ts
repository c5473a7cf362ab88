import { at } from '../../assert.ts';
import {
  chain,
  GIVES,
  givesOf,
  NONE,
  portOf,
  pushWork,
  RESOURCE,
  sideOf,
  takersOf,
  TAKES,
  takesOf,
  tally,
} from './linked-net.ts';
import type { FlatNet } from '../search/flat-net.ts';
import type { LinkedNet, WorkList } from './linked-net.ts';

export interface LinkedParts {
  readonly flat: FlatNet;
  /** By place: ORDINARY, SOURCE, SINK or RESOURCE. */
  readonly role: Int32Array;
  /** By place: 1 where the place is left out of the proof. */
  readonly stripped: Int32Array;
}

/** Copies a net without its stripped places into the mutable form of the rules; every node is put on a work list. */
export function linkNet(parts: LinkedParts): LinkedNet {
  const net = emptyNet(parts);
  layArcs(net, parts, TAKES);
  layArcs(net, parts, GIVES);
  for (let arc = 0; arc < net.arcCount; arc += 1) {
    if (sideOf(at(net.port, arc)) === TAKES) countTake(net, arc);
  }
  for (let place = 0; place < net.placeCount; place += 1) pushWork(net.places, place);
  for (let transition = 0; transition < net.transitionCount; transition += 1) {
    if (takesOf(net, transition) + givesOf(net, transition) > 0) pushWork(net.transitions, transition);
  }
  return net;
}

/** Appends the arcs of one side in one pass; the counters over neighbours are computed afterwards. */
function layArcs(net: LinkedNet, { flat, stripped }: LinkedParts, side: number): void {
  const arcs = side === TAKES ? flat.takes : flat.gives;
  for (let transition = 0; transition < flat.transitionCount; transition += 1) {
    const end = at(arcs.start, transition + 1);
    for (let from = at(arcs.start, transition); from < end; from += 1) {
      const place = at(arcs.place, from);
      if (at(stripped, place) === 1) continue;
      const arc = net.arcCount;
      net.arcCount += 1;
      net.port[arc] = portOf(transition, side);
      net.place[arc] = place;
      net.weight[arc] = at(arcs.weight, from);
      chain(net, arc);
      tally(net, arc, 1);
    }
  }
}

function countTake(net: LinkedNet, arc: number): void {
  const transition = at(net.port, arc) >> 1;
  const place = at(net.place, arc);
  if (takersOf(net, place) > 1) net.shared[transition] = at(net.shared, transition) + 1;
  if (takesOf(net, transition) > 1) net.joined[place] = at(net.joined, place) + 1;
}

function countArcs({ flat: { takes, gives }, stripped }: LinkedParts): number {
  let count = 0;
  for (const arcs of [takes, gives]) for (const place of arcs.place) if (at(stripped, place) === 0) count += 1;
  return count;
}

function emptyNet(parts: LinkedParts): LinkedNet {
  const { flat, role, stripped } = parts;
  const { placeCount, transitionCount } = flat;
  const room = countArcs(parts);
  const numbers = (length: number): Int32Array => new Int32Array(length);
  return {
    placeCount,
    transitionCount,
    role: role.slice(),
    isGone: stripped.slice(),
    hasResources: role.some((kind, place) => kind === RESOURCE && at(stripped, place) === 0),
    port: numbers(room),
    place: numbers(room),
    weight: numbers(room),
    nextAtPort: numbers(room),
    priorAtPort: numbers(room),
    nextAtDock: numbers(room),
    priorAtDock: numbers(room),
    arcCount: 0,
    freeArc: NONE,
    firstAtPort: numbers(2 * transitionCount).fill(NONE),
    firstAtDock: numbers(2 * placeCount).fill(NONE),
    sizeOfPort: numbers(2 * transitionCount),
    sizeOfDock: numbers(2 * placeCount),
    hashOfPort: numbers(2 * transitionCount),
    hashOfDock: numbers(2 * placeCount),
    heavyAtPort: numbers(2 * transitionCount),
    heavyAtDock: numbers(2 * placeCount),
    shared: numbers(transitionCount),
    joined: numbers(placeCount),
    places: emptyList(placeCount),
    transitions: emptyList(transitionCount),
    drainedBy: numbers(placeCount).fill(NONE),
    isOnDemand: new Uint8Array(transitionCount),
    growth: room + GROWTH_AT_LEAST,
  };
}

/** Small nets may grow by this many arcs during reduction; larger nets by as many arcs as they have. */
const GROWTH_AT_LEAST = 1_000;

function emptyList(room: number): WorkList {
  return { items: new Int32Array(room), holds: new Int32Array(room), length: 0 };
}
