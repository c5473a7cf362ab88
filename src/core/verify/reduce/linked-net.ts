// A net with constant-time changes of arcs: each arc is in one list of its transition and in one list of its place.
//
// linked-net/K1. `port = 2 × transition + side` and `dock = 2 × place + side` number the four kinds of lists.
// linked-net/K2. Only `link` and `unlink` maintain sizes, hashes and the counters below, so no rule walks a long list
//   to find out whether it applies.
// linked-net/K3. Every change puts the changed nodes on the two work lists.
// linked-net/K4. A removed transition or place has no arcs.
// linked-net/K5. A place that a transition takes from is the source, a resource, or a place that some transition gives
//   to; the rules preserve this.
//
// The arrays are mutated: a plan of 1e5 tasks has millions of arcs.

import { at } from '../../assert.ts';

export const TAKES = 0;
export const GIVES = 1;
export const NONE = -1;

/** The role of a place in the proof; only ordinary places may be fused. */
export const ORDINARY = 0;
export const SOURCE = 1;
export const SINK = 2;
export const RESOURCE = 3;

/** A changing set, last in, first out. */
export interface WorkList {
  readonly items: Int32Array;
  readonly holds: Int32Array;
  length: number;
}

export interface LinkedNet {
  readonly placeCount: number;
  readonly transitionCount: number;
  /** By place: ORDINARY, SOURCE, SINK or RESOURCE. */
  readonly role: Int32Array;
  readonly isGone: Int32Array;
  readonly hasResources: boolean;
  /** By arc. */
  port: Int32Array;
  place: Int32Array;
  weight: Int32Array;
  nextAtPort: Int32Array;
  priorAtPort: Int32Array;
  nextAtDock: Int32Array;
  priorAtDock: Int32Array;
  arcCount: number;
  freeArc: number;
  /** By port and by dock. */
  readonly firstAtPort: Int32Array;
  readonly firstAtDock: Int32Array;
  readonly sizeOfPort: Int32Array;
  readonly sizeOfDock: Int32Array;
  readonly hashOfPort: Int32Array;
  readonly hashOfDock: Int32Array;
  readonly heavyAtPort: Int32Array;
  readonly heavyAtDock: Int32Array;
  /** By transition: the number of its input places that other transitions take from too. */
  readonly shared: Int32Array;
  /** By place: the number of its takers that have other input places too. */
  readonly joined: Int32Array;
  readonly places: WorkList;
  readonly transitions: WorkList;
  /** By place that a rule removed: the transition that empties it at once, joined to what fills it; NONE elsewhere. */
  readonly drainedBy: Int32Array;
  /** By transition: 1 when a rule joined it to those that take what it gives, so that it fires when they need it. */
  readonly isOnDemand: Uint8Array;
  /** The number of arcs that the rules may still add beyond those they remove. */
  growth: number;
}

export interface ArcEnd {
  readonly place: number;
  readonly weight: number;
}

export const portOf = (transition: number, side: number): number => 2 * transition + side;
export const dockOf = (place: number, side: number): number => 2 * place + side;
export const sideOf = (port: number): number => port & 1;
export const takesOf = (net: LinkedNet, transition: number): number => at(net.sizeOfPort, 2 * transition);
export const givesOf = (net: LinkedNet, transition: number): number => at(net.sizeOfPort, 2 * transition + 1);
export const takersOf = (net: LinkedNet, place: number): number => at(net.sizeOfDock, 2 * place);
export const giversOf = (net: LinkedNet, place: number): number => at(net.sizeOfDock, 2 * place + 1);
export const isOrdinary = (net: LinkedNet, place: number): boolean => at(net.role, place) === ORDINARY;

/** Multiplying by odd constants spreads the bits; sums of such words do not depend on the order of arcs. */
export function hashPart(index: number, weight: number): number {
  const word = Math.imul(index + 0x9e3779b1, 0x85ebca6b);
  return Math.imul(word ^ (word >>> 15), 2 * weight + 0x2c1b3c6d);
}

export function pushWork(list: WorkList, item: number): void {
  if (list.holds[item] === 1) return;
  list.holds[item] = 1;
  list.items[list.length] = item;
  list.length += 1;
}

export function popWork(list: WorkList): number {
  list.length -= 1;
  const item = at(list.items, list.length);
  list.holds[item] = 0;
  return item;
}

const add = (array: Int32Array, index: number, amount: number): void => {
  array[index] = at(array, index) + amount;
};

/** The arc between `port` and `place`, or NONE. Walks both lists in parallel until the shorter one ends. */
export function arcAt(net: LinkedNet, port: number, place: number): number {
  let atPort = at(net.firstAtPort, port);
  let atDock = at(net.firstAtDock, dockOf(place, sideOf(port)));
  while (atPort !== NONE && atDock !== NONE) {
    if (net.place[atPort] === place) return atPort;
    if (net.port[atDock] === port) return atDock;
    atPort = at(net.nextAtPort, atPort);
    atDock = at(net.nextAtDock, atDock);
  }
  return NONE;
}

export function weightAt(net: LinkedNet, port: number, place: number): number {
  const arc = arcAt(net, port, place);
  return arc === NONE ? 0 : at(net.weight, arc);
}

/** Adds an arc, or weight to the arc that is there already. */
export function link(net: LinkedNet, port: number, { place, weight }: ArcEnd): void {
  const found = arcAt(net, port, place);
  if (found === NONE) {
    insert(net, port, { place, weight });
    return;
  }
  const total = at(net.weight, found) + weight;
  unlink(net, found);
  insert(net, port, { place, weight: total });
}

function insert(net: LinkedNet, port: number, { place, weight }: ArcEnd): void {
  const arc = freshArc(net);
  net.port[arc] = port;
  net.place[arc] = place;
  net.weight[arc] = weight;
  if (sideOf(port) === TAKES) countTake(net, arc, 1);
  chain(net, arc);
  tally(net, arc, 1);
  pushWork(net.places, place);
  pushWork(net.transitions, port >> 1);
}

/** Puts an arc at the head of its two lists. */
export function chain(net: LinkedNet, arc: number): void {
  const port = at(net.port, arc);
  const dock = dockOf(at(net.place, arc), sideOf(port));
  const secondAtPort = at(net.firstAtPort, port);
  const secondAtDock = at(net.firstAtDock, dock);
  net.nextAtPort[arc] = secondAtPort;
  net.nextAtDock[arc] = secondAtDock;
  net.priorAtPort[arc] = NONE;
  net.priorAtDock[arc] = NONE;
  if (secondAtPort !== NONE) net.priorAtPort[secondAtPort] = arc;
  if (secondAtDock !== NONE) net.priorAtDock[secondAtDock] = arc;
  net.firstAtPort[port] = arc;
  net.firstAtDock[dock] = arc;
}

export function unlink(net: LinkedNet, arc: number): void {
  const port = at(net.port, arc);
  const dock = dockOf(at(net.place, arc), sideOf(port));
  const nextAtPort = at(net.nextAtPort, arc);
  const priorAtPort = at(net.priorAtPort, arc);
  const nextAtDock = at(net.nextAtDock, arc);
  const priorAtDock = at(net.priorAtDock, arc);
  if (priorAtPort === NONE) net.firstAtPort[port] = nextAtPort;
  else net.nextAtPort[priorAtPort] = nextAtPort;
  if (nextAtPort !== NONE) net.priorAtPort[nextAtPort] = priorAtPort;
  if (priorAtDock === NONE) net.firstAtDock[dock] = nextAtDock;
  else net.nextAtDock[priorAtDock] = nextAtDock;
  if (nextAtDock !== NONE) net.priorAtDock[nextAtDock] = priorAtDock;
  tally(net, arc, -1);
  if (sideOf(port) === TAKES) countTake(net, arc, -1);
  pushWork(net.places, at(net.place, arc));
  pushWork(net.transitions, port >> 1);
  net.nextAtPort[arc] = net.freeArc;
  net.freeArc = arc;
}

/** Maintains sizes, hashes and heavy counts (linked-net/K2). */
export function tally(net: LinkedNet, arc: number, sign: 1 | -1): void {
  const port = at(net.port, arc);
  const place = at(net.place, arc);
  const weight = at(net.weight, arc);
  const dock = dockOf(place, sideOf(port));
  add(net.sizeOfPort, port, sign);
  add(net.sizeOfDock, dock, sign);
  add(net.hashOfPort, port, Math.imul(sign, hashPart(place, weight)));
  add(net.hashOfDock, dock, Math.imul(sign, hashPart(port >> 1, weight)));
  if (weight !== 1) add(net.heavyAtPort, port, sign);
  if (weight !== 1) add(net.heavyAtDock, dock, sign);
}

/**
 * Maintains `shared` and `joined` while the arc is outside both lists. One arc more or less at a place or transition
 * changes the counters for that arc, and for one other arc when exactly one other is left.
 */
function countTake(net: LinkedNet, arc: number, sign: 1 | -1): void {
  const port = at(net.port, arc);
  const place = at(net.place, arc);
  const dock = dockOf(place, TAKES);
  const others = at(net.sizeOfDock, dock);
  const siblings = at(net.sizeOfPort, port);
  if (others > 0) add(net.shared, port >> 1, sign);
  if (others === 1) {
    const taker = at(net.port, at(net.firstAtDock, dock)) >> 1;
    add(net.shared, taker, sign);
    pushWork(net.transitions, taker);
  }
  if (siblings > 0) add(net.joined, place, sign);
  if (siblings === 1) {
    const sibling = at(net.place, at(net.firstAtPort, port));
    add(net.joined, sibling, sign);
    pushWork(net.places, sibling);
  }
}

function freshArc(net: LinkedNet): number {
  const free = net.freeArc;
  if (free !== NONE) {
    net.freeArc = at(net.nextAtPort, free);
    return free;
  }
  if (net.arcCount === net.port.length) makeRoom(net);
  net.arcCount += 1;
  return net.arcCount - 1;
}

function makeRoom(net: LinkedNet): void {
  const larger = (array: Int32Array): Int32Array => {
    const room = new Int32Array(2 * array.length + 16);
    room.set(array);
    return room;
  };
  net.port = larger(net.port);
  net.place = larger(net.place);
  net.weight = larger(net.weight);
  net.nextAtPort = larger(net.nextAtPort);
  net.priorAtPort = larger(net.priorAtPort);
  net.nextAtDock = larger(net.nextAtDock);
  net.priorAtDock = larger(net.priorAtDock);
}

/** Removes every arc of a transition (linked-net/K4). */
export function clearTransition(net: LinkedNet, transition: number): void {
  for (const port of [portOf(transition, TAKES), portOf(transition, GIVES)]) {
    while (at(net.firstAtPort, port) !== NONE) unlink(net, at(net.firstAtPort, port));
  }
}

/** Removes every arc of a place (linked-net/K4). */
export function clearPlace(net: LinkedNet, place: number): void {
  for (const dock of [dockOf(place, TAKES), dockOf(place, GIVES)]) {
    while (at(net.firstAtDock, dock) !== NONE) unlink(net, at(net.firstAtDock, dock));
  }
  net.isGone[place] = 1;
}

export function arcsOfPort(net: LinkedNet, port: number): ArcEnd[] {
  const ends: ArcEnd[] = [];
  for (let arc = at(net.firstAtPort, port); arc !== NONE; arc = at(net.nextAtPort, arc)) {
    ends.push({ place: at(net.place, arc), weight: at(net.weight, arc) });
  }
  return ends;
}

export function transitionsOfDock(net: LinkedNet, dock: number): number[] {
  const found: number[] = [];
  for (let arc = at(net.firstAtDock, dock); arc !== NONE; arc = at(net.nextAtDock, arc)) {
    found.push(at(net.port, arc) >> 1);
  }
  return found;
}
