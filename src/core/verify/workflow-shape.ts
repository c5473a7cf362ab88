// Recognises workflow nets by their arcs alone, without names, so that nets from files are recognised too.
//
// workflow-shape/W1. A workflow net has exactly one place that no transition fills, with one token, and at least one
//   that no transition empties or reads.
// workflow-shape/W2. Any other place with initial tokens is a resource and must hold the same number at the end.
// workflow-shape/W3. A switch is a set of places between which tokens move by themselves, from every place to every
//   other, and which other transitions only read: on and off, or a cycle of more. Its tokens are always as many as at
//   first (an invariant), and none of them ever leaves the set.
// workflow-shape/W4. A net has ended when only its sink holds a token. A net with several sinks, like a process with
//   several end events, has ended when only sinks hold tokens, at most one each.

import { at } from '../assert.ts';
import { ORDINARY, RESOURCE, SINK, SOURCE } from './reduce/linked-net.ts';
import { componentsOf } from '../graph/components.ts';
import { graphOfEdges, type Edge } from '../graph/directed-graph.ts';
import type { Arcs } from '../net/net.ts';
import type { FlatNet } from './search/flat-net.ts';

export interface WorkflowShape {
  /** The initial marking, with the token on the source where it was added. */
  readonly net: FlatNet;
  readonly source: number;
  readonly sinks: readonly number[];
  readonly role: Int32Array;
  readonly resources: readonly number[];
  /** Resources that are only read. */
  readonly constants: readonly number[];
  readonly switches: readonly (readonly number[])[];
}

/** How transitions use each place, reads excluded. */
interface Touches {
  readonly fills: Int32Array;
  readonly empties: Int32Array;
  /** The largest weight of a read of a place; 0 where no transition reads it. */
  readonly read: Int32Array;
}

/** Undefined when the net is no workflow net (workflow-shape/W1). */
export function workflowShape(flat: FlatNet): WorkflowShape | undefined {
  const touches = touchesOf(flat);
  const sources = placesWhere(flat, (place) => at(touches.fills, place) === 0 && at(touches.empties, place) > 0);
  const sinks = placesWhere(
    flat,
    (place) => at(touches.fills, place) > 0 && at(touches.empties, place) + at(touches.read, place) === 0,
  );
  const [source] = sources;
  if (source === undefined || sources.length > 1 || sinks.length === 0) return undefined;
  const isUnmarked = flat.initial.every((tokens) => tokens === 0);
  if (!isUnmarked && at(flat.initial, source) !== 1) return undefined;
  if (sinks.some((sink) => at(flat.initial, sink) > 0)) return undefined;
  const initial = flat.initial.slice();
  initial[source] = 1;
  const resources = placesWhere(flat, (place) => place !== source && at(initial, place) > 0);
  const role = new Int32Array(flat.placeCount).fill(ORDINARY);
  for (const resource of resources) role[resource] = RESOURCE;
  role[source] = SOURCE;
  for (const sink of sinks) role[sink] = SINK;
  return {
    net: { ...flat, initial },
    source,
    sinks,
    role,
    resources,
    constants: resources.filter((place) => at(touches.fills, place) + at(touches.empties, place) === 0),
    switches: findSwitches(flat, touches, resources),
  };
}

function placesWhere({ placeCount }: FlatNet, holds: (place: number) => boolean): number[] {
  const found: number[] = [];
  for (let place = 0; place < placeCount; place += 1) if (holds(place)) found.push(place);
  return found;
}

function touchesOf({ placeCount, transitionCount, takes, gives }: FlatNet): Touches {
  const numbers = (): Int32Array => new Int32Array(placeCount);
  const touches = { fills: numbers(), empties: numbers(), read: numbers() };
  const taken = numbers();
  for (let transition = 0; transition < transitionCount; transition += 1) {
    const [begin, end] = [at(takes.start, transition), at(takes.start, transition + 1)];
    for (let arc = begin; arc < end; arc += 1) taken[at(takes.place, arc)] = at(takes.weight, arc);
    for (let arc = at(gives.start, transition); arc < at(gives.start, transition + 1); arc += 1) {
      const place = at(gives.place, arc);
      if (at(taken, place) === at(gives.weight, arc)) {
        touches.read[place] = Math.max(at(touches.read, place), at(taken, place));
        taken[place] = 0;
        continue;
      }
      touches.fills[place] = at(touches.fills, place) + 1;
    }
    for (let arc = begin; arc < end; arc += 1) {
      const place = at(takes.place, arc);
      if (at(taken, place) === 0) continue;
      touches.empties[place] = at(touches.empties, place) + 1;
      taken[place] = 0;
    }
  }
  return touches;
}

function findSwitches(flat: FlatNet, touches: Touches, resources: readonly number[]): readonly (readonly number[])[] {
  const moves = movesIn(flat);
  if (moves.length === 0) return [];
  const component = componentsOf(graphOfEdges(flat.placeCount, moves));
  // A place that anything else fills or empties is none of a switch, and neither is what it exchanges tokens with.
  const [filled, emptied] = [new Int32Array(flat.placeCount), new Int32Array(flat.placeCount)];
  for (const { from, to } of moves) {
    if (component[from] !== component[to]) continue;
    filled[to] = at(filled, to) + 1;
    emptied[from] = at(emptied, from) + 1;
  }
  const isClosed = (place: number): boolean =>
    at(filled, place) === at(touches.fills, place) && at(emptied, place) === at(touches.empties, place);
  const bySwitch = new Map(resources.map((place): [number, number[]] => [at(component, place), []]));
  component.forEach((number, place) => bySwitch.get(number)?.push(place));
  const closed = [...bySwitch.values()].filter((places) => places.length > 1 && places.every(isClosed));
  return withinReads(flat, closed);
}

/** The transitions that take one token from one place and give one to another, and do nothing else. */
function movesIn(flat: FlatNet): readonly Edge[] {
  const moves: Edge[] = [];
  for (let transition = 0; transition < flat.transitionCount; transition += 1) {
    const from = onlyPlace(flat.takes, transition);
    const to = onlyPlace(flat.gives, transition);
    if (from !== undefined && to !== undefined && from !== to) moves.push({ from, to });
  }
  return moves;
}

/** Whether a transition flips a switch: it moves a token from one of its places to another. */
export function isFlipIn({ takes, gives }: FlatNet, ofSwitches: ReadonlySet<number>, transition: number): boolean {
  const [from, to] = [onlyPlace(takes, transition), onlyPlace(gives, transition)];
  return from !== undefined && to !== undefined && from !== to && ofSwitches.has(from);
}

/** The only place of a transition's arcs, when there is exactly one and its weight is one. */
function onlyPlace(arcs: Arcs, transition: number): number | undefined {
  const begin = at(arcs.start, transition);
  return at(arcs.start, transition + 1) === begin + 1 && arcs.weight[begin] === 1 ? arcs.place[begin] : undefined;
}

/**
 * Those of which no transition reads more places at once than they have tokens: such a transition is dead, so its switch
 * must not be stripped.
 */
function withinReads(
  { takes, transitionCount, placeCount, initial }: FlatNet,
  switches: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const switchOf = new Int32Array(placeCount).fill(-1);
  switches.forEach((places, index) => {
    for (const place of places) switchOf[place] = index;
  });
  const tokens = switches.map((places) => places.reduce((sum, place) => sum + at(initial, place), 0));
  const isTorn = new Uint8Array(switches.length);
  const read = new Int32Array(switches.length);
  const lastRead = new Int32Array(switches.length).fill(-1);
  for (let transition = 0; transition < transitionCount; transition += 1) {
    for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
      const index = at(switchOf, at(takes.place, arc));
      if (index < 0) continue;
      read[index] = (at(lastRead, index) === transition ? at(read, index) : 0) + at(takes.weight, arc);
      lastRead[index] = transition;
      if (at(read, index) > (tokens[index] ?? 0)) isTorn[index] = 1;
    }
  }
  return switches.filter((_, index) => isTorn[index] === 0);
}
