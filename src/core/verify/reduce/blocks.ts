// A block of transitions without choice, with one way in and one way out, is as good as one place between the two.
//
// Inside a block each place has one giver and one taker and there is no circle. However often the way in has fired,
// the rest can follow without help from outside until the way out has fired as often, and then the block is empty:
// what a block tells the world is how often it was entered and not yet left, which is what one place would hold.

import { at } from '../../net/at.ts';
import {
  arcAt,
  clearPlace,
  clearTransition,
  dockOf,
  GIVES,
  giversOf,
  isOrdinary,
  link,
  NONE,
  portOf,
  takersOf,
  TAKES,
  unlink,
  type LinkedNet,
} from './linked-net.ts';

interface Block {
  readonly transitions: number[];
  entries: number;
  exits: number;
  entry: number;
  exit: number;
  isWhole: boolean;
}

/** Collapses every block; true when any was larger than one place. */
export function collapseBlocks(net: LinkedNet): boolean {
  const inner = innerPlaces(net);
  const blocks = gather(net, inner);
  let hasChanged = false;
  for (const block of blocks) {
    if (block.transitions.length < 3 || block.entries !== 1 || block.exits !== 1 || !block.isWhole) continue;
    if (!hasNoCircle(net, block, inner)) continue;
    collapse(net, block, inner);
    hasChanged = true;
  }
  return hasChanged;
}

/** By place: 1 where one transition gives, another takes, one token each. */
function innerPlaces(net: LinkedNet): Int32Array {
  const inner = new Int32Array(net.placeCount);
  for (let place = 0; place < net.placeCount; place += 1) {
    const [takes, gives] = [dockOf(place, TAKES), dockOf(place, GIVES)];
    if (!isOrdinary(net, place) || giversOf(net, place) !== 1 || takersOf(net, place) !== 1) continue;
    if (at(net.heavyAtDock, takes) + at(net.heavyAtDock, gives) > 0) continue;
    const isLoop = at(net.port, at(net.firstAtDock, takes)) >> 1 === at(net.port, at(net.firstAtDock, gives)) >> 1;
    inner[place] = isLoop ? 0 : 1;
  }
  return inner;
}

function gather(net: LinkedNet, inner: Int32Array): Block[] {
  const blocks: Block[] = [];
  const seen = new Int32Array(net.transitionCount);
  for (let first = 0; first < net.transitionCount; first += 1) {
    if (at(seen, first) === 1 || at(net.firstAtPort, portOf(first, TAKES)) === NONE) continue;
    const block: Block = { transitions: [], entries: 0, exits: 0, entry: NONE, exit: NONE, isWhole: true };
    const pending = [first];
    seen[first] = 1;
    for (let transition = pending.pop(); transition !== undefined; transition = pending.pop()) {
      block.transitions.push(transition);
      enter(block, transition, {
        takes: visitInner(net, portOf(transition, TAKES), { inner, seen, pending }),
        gives: visitInner(net, portOf(transition, GIVES), { inner, seen, pending }),
      });
    }
    blocks.push(block);
  }
  return blocks;
}

type Ends = 'inner' | 'outer' | 'mixed';

function enter(block: Block, transition: number, { takes, gives }: { takes: Ends; gives: Ends }): void {
  if (takes !== 'inner') {
    block.entries += 1;
    block.entry = transition;
  }
  if (gives !== 'inner') {
    block.exits += 1;
    block.exit = transition;
  }
  if (takes === 'mixed' || gives === 'mixed') block.isWhole = false;
}

interface Visit {
  readonly inner: Int32Array;
  readonly seen: Int32Array;
  readonly pending: number[];
}

/** Queues the neighbours behind inner places and says whether all, none or some of the places are inner. */
function visitInner(net: LinkedNet, port: number, { inner, seen, pending }: Visit): Ends {
  let innerCount = 0;
  for (let arc = at(net.firstAtPort, port); arc !== NONE; arc = at(net.nextAtPort, arc)) {
    const place = at(net.place, arc);
    if (at(inner, place) === 0) continue;
    innerCount += 1;
    const neighbour = at(net.port, at(net.firstAtDock, dockOf(place, 1 - (port & 1)))) >> 1;
    if (at(seen, neighbour) === 1) continue;
    seen[neighbour] = 1;
    pending.push(neighbour);
  }
  if (innerCount === 0) return 'outer';
  return innerCount === at(net.sizeOfPort, port) ? 'inner' : 'mixed';
}

function hasNoCircle(net: LinkedNet, { transitions, entry }: Block, inner: Int32Array): boolean {
  const waits = new Map(
    transitions.map((each) => [each, each === entry ? 0 : at(net.sizeOfPort, portOf(each, TAKES))]),
  );
  const pending = [entry];
  let passed = 0;
  for (let transition = pending.pop(); transition !== undefined; transition = pending.pop()) {
    passed += 1;
    const port = portOf(transition, GIVES);
    for (let arc = at(net.firstAtPort, port); arc !== NONE; arc = at(net.nextAtPort, arc)) {
      const place = at(net.place, arc);
      if (at(inner, place) === 0) continue;
      const taker = at(net.port, at(net.firstAtDock, dockOf(place, TAKES))) >> 1;
      const left = (waits.get(taker) ?? 0) - 1;
      waits.set(taker, left);
      if (left === 0) pending.push(taker);
    }
  }
  return passed === transitions.length;
}

function collapse(net: LinkedNet, { transitions, entry, exit }: Block, inner: Int32Array): void {
  const kept = at(net.place, at(net.firstAtPort, portOf(entry, GIVES)));
  for (const transition of transitions) {
    const port = portOf(transition, GIVES);
    for (let arc = at(net.firstAtPort, port); arc !== NONE; arc = at(net.firstAtPort, port)) {
      const place = at(net.place, arc);
      if (at(inner, place) === 0) break;
      if (place === kept) unlink(net, arc);
      else clearPlace(net, place);
    }
  }
  const arc = at(net.firstAtDock, dockOf(kept, TAKES));
  if (arc !== NONE) unlink(net, arc);
  for (const transition of transitions)
    if (transition !== entry && transition !== exit) clearTransition(net, transition);
  link(net, portOf(entry, GIVES), { place: kept, weight: 1 });
  if (arcAt(net, portOf(exit, TAKES), kept) === NONE) link(net, portOf(exit, TAKES), { place: kept, weight: 1 });
}
