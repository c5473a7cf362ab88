// A net in which every transition fires exactly once is proved sound by one pass in topological order.
//
// once/O1. Each place except the source and the sinks is emptied by one transition, its emptier, which takes as many
//   tokens as all givers together give. Other transitions may only read, and no more than that number.
// once/O2. With an edge from each giver of a place to its emptier and to its readers, the net has no cycle.
// once/O3. The emptier of a place that is read cannot fire before its readers have fired.
//
// By induction along the order, no transition fires twice. Of the transitions that have not fired, the first in the
// order has all its tokens: all its givers have fired, no other transition empties its places, and by once/O3 the
// tokens it reads are still there. So every run continues until each transition has fired once, and then only the sinks
// are marked. A reader that needs fewer tokens than will arrive may fire before some givers, which only adds orders to
// those of once/O2.

import { nodeCount, positionsIn, topologicalOrder } from '../../graph/directed-graph.ts';
import { at } from '../../assert.ts';
import {
  dockOf,
  giversOf,
  GIVES,
  NONE,
  portOf,
  RESOURCE,
  SINK,
  SOURCE,
  takersOf,
  TAKES,
  weightAt,
} from './linked-net.ts';
import type { Graph } from '../../graph/directed-graph.ts';
import type { LinkedNet } from './linked-net.ts';

interface Flow {
  readonly net: LinkedNet;
  /** By place: the transition that empties it, or NONE. */
  readonly emptier: Int32Array;
  /** The reads: each place with a transition that reads it. */
  readonly readers: { readonly place: number; readonly transition: number }[];
  /** By transition: the number of places that it takes from, reads excluded. */
  readonly taken: Int32Array;
  readonly given: Int32Array;
}

export function everyTransitionFiresOnce(net: LinkedNet): boolean {
  const flow: Flow = {
    net,
    emptier: new Int32Array(net.placeCount).fill(NONE),
    readers: [],
    taken: new Int32Array(net.transitionCount),
    given: new Int32Array(net.transitionCount),
  };
  for (let place = 0; place < net.placeCount; place += 1) {
    if (at(net.isGone, place) === 0 && !isEmptiedOnce(flow, place)) return false;
  }
  for (let transition = 0; transition < net.transitionCount; transition += 1) {
    const size = at(net.sizeOfPort, portOf(transition, TAKES)) + at(net.sizeOfPort, portOf(transition, GIVES));
    if (size > 0 && (at(flow.taken, transition) === 0 || at(flow.given, transition) === 0)) return false;
  }
  const rank = ranks(net);
  return rank !== undefined && readersComeFirst(flow, rank);
}

/** Checks once/O1 for one place. */
function isEmptiedOnce(flow: Flow, place: number): boolean {
  const { net } = flow;
  switch (at(net.role, place)) {
    case RESOURCE:
      return false;
    case SOURCE:
      return giversOf(net, place) === 0 && takersOf(net, place) === 1 && sortTakers(flow, place) === 1;
    case SINK:
      return takersOf(net, place) === 0 && giversOf(net, place) === 1 && sumGiven(flow, place) === 1;
    default: {
      const all = sortTakers(flow, place);
      return all > 0 && all === sumGiven(flow, place) && readsAtMost(flow, place, all);
    }
  }
}

/** Separates readers from the emptier; returns the emptier's weight, or 0 when there is not exactly one. */
function sortTakers({ net, emptier, readers, taken }: Flow, place: number): number {
  let emptied = 0;
  for (let arc = at(net.firstAtDock, dockOf(place, TAKES)); arc !== NONE; arc = at(net.nextAtDock, arc)) {
    const transition = at(net.port, arc) >> 1;
    const weight = at(net.weight, arc);
    const back = weightAt(net, portOf(transition, GIVES), place);
    if (back === weight) {
      readers.push({ place, transition });
      continue;
    }
    if (back > 0 || emptied > 0) return 0;
    emptied = weight;
    emptier[place] = transition;
    taken[transition] = at(taken, transition) + 1;
  }
  return emptied;
}

function sumGiven({ net, given }: Flow, place: number): number {
  let sum = 0;
  for (let arc = at(net.firstAtDock, dockOf(place, GIVES)); arc !== NONE; arc = at(net.nextAtDock, arc)) {
    const transition = at(net.port, arc) >> 1;
    if (weightAt(net, portOf(transition, TAKES), place) > 0) continue;
    sum += at(net.weight, arc);
    given[transition] = at(given, transition) + 1;
  }
  return sum;
}

function readsAtMost({ net }: Flow, place: number, all: number): boolean {
  for (let arc = at(net.firstAtDock, dockOf(place, TAKES)); arc !== NONE; arc = at(net.nextAtDock, arc)) {
    if (at(net.weight, arc) > all) return false;
  }
  return true;
}

/** Checks once/O2: by transition its index in a topological order; undefined when there is a cycle. */
function ranks(net: LinkedNet): Int32Array | undefined {
  const graph = tokenFlow(net);
  const order = topologicalOrder(graph);
  return order.length === nodeCount(graph) ? positionsIn(order, order.length) : undefined;
}

/**
 * Transitions and places as the nodes of one graph, places numbered after transitions: an edge from each transition to
 * every place that it gives to and does not read, and from each place to every transition that takes from it or reads
 * it.
 */
function tokenFlow(net: LinkedNet): Graph {
  const { transitionCount, placeCount } = net;
  const start = new Int32Array(transitionCount + placeCount + 1);
  const to = new Int32Array(net.place.length);
  let edges = 0;
  for (let transition = 0; transition < transitionCount; transition += 1) {
    start[transition] = edges;
    for (let arc = at(net.firstAtPort, portOf(transition, GIVES)); arc !== NONE; arc = at(net.nextAtPort, arc)) {
      const place = at(net.place, arc);
      if (weightAt(net, portOf(transition, TAKES), place) === 0) to[edges++] = transitionCount + place;
    }
  }
  for (let place = 0; place < placeCount; place += 1) {
    start[transitionCount + place] = edges;
    for (let arc = at(net.firstAtDock, dockOf(place, TAKES)); arc !== NONE; arc = at(net.nextAtDock, arc)) {
      to[edges++] = at(net.port, arc) >> 1;
    }
  }
  start[transitionCount + placeCount] = edges;
  return { start, to: to.subarray(0, edges) };
}

/** The number of arcs to follow in all, as a multiple of the places, before once/O3 is left unproved. */
const FOLLOWED_MOST = 64;

/**
 * Checks once/O3: from each reader a path of tokens leads to the emptier. All paths lead to the transition that fills
 * the only sink.
 */
function readersComeFirst({ net, emptier, readers }: Flow, rank: Int32Array): boolean {
  let left = FOLLOWED_MOST * (net.placeCount + 16);
  const stamp = new Int32Array(net.transitionCount).fill(NONE);
  const follow = (from: number, to: number, mark: number): boolean => {
    const pending = [from];
    for (let transition = pending.pop(); transition !== undefined; transition = pending.pop()) {
      if (transition === to) return true;
      for (let arc = at(net.firstAtPort, portOf(transition, GIVES)); arc !== NONE; arc = at(net.nextAtPort, arc)) {
        left -= 1;
        const next = at(emptier, at(net.place, arc));
        const isOpen =
          next !== NONE && next !== transition && at(stamp, next) !== mark && at(rank, next) <= at(rank, to);
        if (!isOpen || weightAt(net, portOf(transition, TAKES), at(net.place, arc)) > 0) continue;
        stamp[next] = mark;
        pending.push(next);
      }
    }
    return false;
  };
  const hasOneSink = net.role.filter((role) => role === SINK).length === 1;
  return readers.every(({ place, transition }, mark) => {
    const last = at(emptier, place);
    return left > 0 && ((hasOneSink && fillsSink(net, last)) || follow(transition, last, mark));
  });
}

function fillsSink(net: LinkedNet, transition: number): boolean {
  const port = portOf(transition, GIVES);
  for (let arc = at(net.firstAtPort, port); arc !== NONE; arc = at(net.nextAtPort, arc)) {
    if (at(net.role, at(net.place, arc)) === SINK) return true;
  }
  return false;
}
