// Recognises workflow nets by their arcs alone, without names, so that nets from files are recognised too.
//
// workflow-shape/W1. A workflow net has exactly one place that no transition fills, with one token, and at least one
//   that no transition empties or reads.
// workflow-shape/W2. Any other place with initial tokens is a resource and must hold the same number at the end.
// workflow-shape/W3. A switch is a set of places beside the flow that changes by itself, always comes back, and is only
//   read by other transitions: on and off, a cycle of more, or a small net of its own. See find-switches.
// workflow-shape/W4. A net has ended when only its sink holds a token. A net with several sinks, like a process with
//   several end events, has ended when only sinks hold tokens, at most one each.

import { at } from '../assert.ts';
import { ORDINARY, RESOURCE, SINK, SOURCE } from './reduce/linked-net.ts';
import { findSwitches, type Switches } from './find-switches.ts';
import type { FlatNet } from './search/flat-net.ts';

export interface WorkflowShape extends Switches {
  /** The initial marking, with the token on the source where it was added. */
  readonly net: FlatNet;
  readonly source: number;
  readonly sinks: readonly number[];
  readonly role: Int32Array;
  readonly resources: readonly number[];
  /** Resources that are only read. */
  readonly constants: readonly number[];
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
    ...findSwitches(flat, { ends: [source, ...sinks], resources }),
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
