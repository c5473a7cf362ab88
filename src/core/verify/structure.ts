// Faults that follow from the arcs alone, in linear time, of a net whose resources are stripped or marked.
//
// Dead from the start: a place is markable when it holds tokens or a fireable transition gives to it; a transition is
// fireable when all its input places are markable. Every other transition can never fire.
// No path to the end: leave out every firing of a transition from which no path leads to the sink. The rest of the run
// can still fire and still reaches the sink, but the tokens that those firings would have taken are left over, so the
// net is not sound. (Transitions that start from a resource of their own are left to the search.)

import { cycleFrom } from '../graph/cycles.ts';
import { at } from '../assert.ts';
import { dockOf, GIVES, NONE, portOf, RESOURCE, SINK, SOURCE, TAKES } from './reduce/linked-net.ts';
import type { LinkedNet } from './reduce/linked-net.ts';

export interface StructureFault {
  readonly code: 'no-way-from-the-start' | 'no-way-to-the-end';
  readonly transition: number;
  /** A place that prevents the transition from ever firing. */
  readonly place: number | undefined;
  /** Transitions that wait for each other in a cycle, each for the next, where that is the reason. */
  readonly cycle: readonly number[];
}

export function structureFault(net: LinkedNet): StructureFault | undefined {
  return unreachable(net) ?? withoutEnd(net);
}

function unreachable(net: LinkedNet): StructureFault | undefined {
  const waits = net.sizeOfPort.slice();
  const isMarkable = new Int32Array(net.placeCount);
  const pending: number[] = [];
  const mark = (place: number): void => {
    if (at(isMarkable, place) === 1) return;
    isMarkable[place] = 1;
    pending.push(place);
  };
  const fire = (transition: number): void => eachPlace(net, portOf(transition, GIVES), mark);
  for (let place = 0; place < net.placeCount; place += 1) {
    if (at(net.isGone, place) === 0 && [SOURCE, RESOURCE].includes(at(net.role, place))) mark(place);
  }
  for (let transition = 0; transition < net.transitionCount; transition += 1) {
    if (at(waits, portOf(transition, TAKES)) === 0) fire(transition);
  }
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    eachTransition(net, dockOf(place, TAKES), (transition) => {
      const port = portOf(transition, TAKES);
      waits[port] = at(waits, port) - 1;
      if (at(waits, port) === 0) fire(transition);
    });
  }
  for (let transition = 0; transition < net.transitionCount; transition += 1) {
    if (at(waits, portOf(transition, TAKES)) > 0) return reasonOf(net, transition, isMarkable);
  }
  return undefined;
}

/** Follows the reason from transition to transition, to a place without givers or around a cycle. */
function reasonOf(net: LinkedNet, first: number, isMarkable: Int32Array): StructureFault {
  let last: Pick<StructureFault, 'transition' | 'place'> = { transition: first, place: undefined };
  const cycle = cycleFrom(first, (transition) => {
    const place = placesAt(net, portOf(transition, TAKES)).find((each) => at(isMarkable, each) === 0);
    last = { transition, place };
    const arc = place === undefined ? NONE : at(net.firstAtDock, dockOf(place, GIVES));
    return arc === NONE ? undefined : at(net.port, arc) >> 1;
  });
  return { code: 'no-way-from-the-start', ...last, cycle };
}

function withoutEnd(net: LinkedNet): StructureFault | undefined {
  const leadsOn = new Int32Array(net.transitionCount);
  const isSeen = new Int32Array(net.placeCount);
  const pending: number[] = [];
  const see = (place: number): void => {
    if (at(isSeen, place) === 1) return;
    isSeen[place] = 1;
    pending.push(place);
  };
  net.role.forEach((role, place) => {
    if (role === SINK) see(place);
  });
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    eachTransition(net, dockOf(place, GIVES), (transition) => {
      if (at(leadsOn, transition) === 1) return;
      leadsOn[transition] = 1;
      eachPlace(net, portOf(transition, TAKES), see);
    });
  }
  const isOwnResource = (place: number): boolean =>
    at(net.role, place) === RESOURCE && at(isSeen, place) === 0 && at(net.isGone, place) === 0;
  if (net.hasResources && net.role.some((_, place) => isOwnResource(place))) return undefined;
  for (let transition = 0; transition < net.transitionCount; transition += 1) {
    const hasArcs = at(net.sizeOfPort, portOf(transition, TAKES)) + at(net.sizeOfPort, portOf(transition, GIVES)) > 0;
    if (hasArcs && at(leadsOn, transition) === 0)
      return { code: 'no-way-to-the-end', transition, place: undefined, cycle: [] };
  }
  return undefined;
}

function eachPlace(net: LinkedNet, port: number, visit: (place: number) => void): void {
  for (let arc = at(net.firstAtPort, port); arc !== NONE; arc = at(net.nextAtPort, arc)) visit(at(net.place, arc));
}

function placesAt(net: LinkedNet, port: number): number[] {
  const places: number[] = [];
  eachPlace(net, port, (place) => places.push(place));
  return places;
}

function eachTransition(net: LinkedNet, dock: number, visit: (transition: number) => void): void {
  for (let arc = at(net.firstAtDock, dock); arc !== NONE; arc = at(net.nextAtDock, arc)) visit(at(net.port, arc) >> 1);
}
