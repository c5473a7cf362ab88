// Recognises workflow nets by their arcs alone, without names, so that nets from files are recognised too.
//
// workflow-shape/W1. A workflow net has exactly one place that no transition fills, with one token, and at least one
//   that no transition empties or reads.
// workflow-shape/W2. Any other place with initial tokens is a resource and must hold the same number at the end.
// workflow-shape/W3. A switch is a pair of places between which one token moves, and which other transitions only read.
// workflow-shape/W4. A net has ended when only its sink holds a token. A net with several sinks, like a process with
//   several end events, has ended when only sinks hold tokens, at most one each.

import { at } from '../assert.ts';
import { ORDINARY, RESOURCE, SINK, SOURCE } from './reduce/linked-net.ts';
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
  readonly switches: readonly SwitchPair[];
}

/** How transitions use each place, reads excluded. */
interface Touches {
  readonly fills: Int32Array;
  readonly empties: Int32Array;
  readonly lastFill: Int32Array;
  readonly lastEmpty: Int32Array;
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
  const touches = { fills: numbers(), empties: numbers(), lastFill: numbers(), lastEmpty: numbers(), read: numbers() };
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
      touches.lastFill[place] = transition;
    }
    for (let arc = begin; arc < end; arc += 1) {
      const place = at(takes.place, arc);
      if (at(taken, place) === 0) continue;
      touches.empties[place] = at(touches.empties, place) + 1;
      touches.lastEmpty[place] = transition;
      taken[place] = 0;
    }
  }
  return touches;
}

type SwitchPair = readonly [on: number, off: number];

function findSwitches(flat: FlatNet, touches: Touches, resources: readonly number[]): readonly SwitchPair[] {
  const pairs = resources.flatMap((on): SwitchPair[] => {
    const off = onlyPlace(flat.gives, at(touches.lastEmpty, on));
    return off !== undefined && isFlipped(flat, touches, [on, off]) ? [[on, off]] : [];
  });
  const torn = readOnBothSides(flat, pairs);
  return pairs.filter(([on]) => !torn.has(on));
}

function isFlipped(
  flat: FlatNet,
  { fills, empties, lastFill, lastEmpty, read }: Touches,
  [on, off]: SwitchPair,
): boolean {
  const hasOneOfEach = (place: number): boolean =>
    at(fills, place) === 1 && at(empties, place) === 1 && at(read, place) <= 1;
  if (on === off || at(flat.initial, on) !== 1 || at(flat.initial, off) !== 0) return false;
  if (!hasOneOfEach(on) || !hasOneOfEach(off)) return false;
  const away = at(lastEmpty, on);
  const back = at(lastFill, on);
  const leadsBack = onlyPlace(flat.takes, back) === off && onlyPlace(flat.gives, back) === on;
  return onlyPlace(flat.takes, away) === on && leadsBack && at(lastEmpty, off) === back && at(lastFill, off) === away;
}

/** The only place of a transition's arcs, when there is exactly one and its weight is one. */
function onlyPlace(arcs: Arcs, transition: number): number | undefined {
  const begin = at(arcs.start, transition);
  return at(arcs.start, transition + 1) === begin + 1 && arcs.weight[begin] === 1 ? arcs.place[begin] : undefined;
}

/**
 * Switches that some transition needs on and off at once: that transition is dead, so these switches must not be
 * stripped.
 */
function readOnBothSides({ takes, transitionCount, placeCount }: FlatNet, pairs: readonly SwitchPair[]): Set<number> {
  const torn = new Set<number>();
  if (pairs.length === 0) return torn;
  const onSide = new Int32Array(placeCount).fill(-1);
  for (const [on, off] of pairs) {
    onSide[on] = on;
    onSide[off] = on;
  }
  const seen = new Int32Array(placeCount).fill(-1);
  for (let transition = 0; transition < transitionCount; transition += 1) {
    for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
      const on = at(onSide, at(takes.place, arc));
      if (on < 0) continue;
      if (at(seen, on) === transition) torn.add(on);
      seen[on] = transition;
    }
  }
  return torn;
}
