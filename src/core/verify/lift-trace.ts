// Carries a trace of the reduced net over into the original net.
//
// A rule that joins two transitions keeps the number of one of them. The other is fired either at once, when the place
// between them is filled, or on demand, when what it gives is needed. So the trace is fired again in the original net, and
// whatever was joined to its transitions is added where it is needed. What cannot fire yet, because the reduced net has no
// pools or has dropped a read, is tried again later.
//
// The result is a real run of the original net, but not always the run that was meant: whether it ends in a fault is for
// the caller to find out.

import { at } from '../assert.ts';
import { applyFiring, isEnabledIn } from './search/explore.ts';
import { NONE } from './reduce/linked-net.ts';
import type { FlatNet } from './search/flat-net.ts';

export interface JoinedFirings {
  /** The transitions that the reduced net fired. */
  readonly trace: readonly number[];
  /** By place: the transition that empties it as soon as it is filled, or NONE. */
  readonly drainedBy: Int32Array;
  readonly onDemand: readonly number[];
}

export interface LiftedTrace {
  readonly trace: readonly number[];
  readonly marking: Int32Array;
}

/** Bound on attempts to fire, and on how many firings on demand may lean on each other. */
const ATTEMPTS_MAX = 200_000;
const DEPTH_MAX = 500;

interface Lifting {
  readonly net: FlatNet;
  readonly marking: Int32Array;
  readonly lifted: number[];
  readonly drainedBy: Int32Array;
  /** By place: the transitions that give to it on demand. */
  readonly suppliers: ReadonlyMap<number, readonly number[]>;
  /** Places that were filled and are to be drained. */
  readonly filled: number[];
  attemptsLeft: number;
}

export function liftTrace(net: FlatNet, { trace, drainedBy, onDemand }: JoinedFirings): LiftedTrace {
  const lifting: Lifting = {
    net,
    marking: net.initial.slice(),
    lifted: [],
    drainedBy,
    suppliers: suppliersIn(net, onDemand),
    filled: [],
    attemptsLeft: ATTEMPTS_MAX,
  };
  let waiting: number[] = [];
  for (const transition of trace) waiting = [...waiting, transition].filter((each) => !hasFired(lifting, each));
  return { trace: lifting.lifted, marking: lifting.marking };
}

function suppliersIn({ gives }: FlatNet, onDemand: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const suppliers = new Map<number, number[]>();
  for (const transition of onDemand) {
    for (let arc = at(gives.start, transition); arc < at(gives.start, transition + 1); arc += 1) {
      const place = at(gives.place, arc);
      const others = suppliers.get(place);
      if (others === undefined) suppliers.set(place, [transition]);
      else others.push(transition);
    }
  }
  return suppliers;
}

/** Fires a transition with all that it needs, and empties the places that are not to stay filled. */
function hasFired(lifting: Lifting, transition: number): boolean {
  if (!isSupplied(lifting, transition, new Set())) return false;
  fire(lifting, transition);
  drain(lifting);
  return true;
}

function fire({ net, marking, lifted, drainedBy, filled }: Lifting, transition: number): void {
  applyFiring(net, marking, { transition, sign: 1 });
  lifted.push(transition);
  for (let arc = at(net.gives.start, transition); arc < at(net.gives.start, transition + 1); arc += 1) {
    const place = at(net.gives.place, arc);
    if (at(drainedBy, place) !== NONE) filled.push(place);
  }
}

function drain(lifting: Lifting): void {
  const { filled, marking, drainedBy } = lifting;
  for (let place = filled.shift(); place !== undefined; place = filled.shift()) {
    while (at(marking, place) > 0 && isSupplied(lifting, at(drainedBy, place), new Set()))
      fire(lifting, at(drainedBy, place));
  }
}

/** Whether the transition is enabled, after the firings on demand that it takes. `above` waits for what it gives. */
function isSupplied(lifting: Lifting, transition: number, above: Set<number>): boolean {
  const { net, marking } = lifting;
  const { start, place: places, weight } = net.takes;
  for (let arc = at(start, transition); arc < at(start, transition + 1); arc += 1) {
    const place = at(places, arc);
    while (at(marking, place) < at(weight, arc)) {
      lifting.attemptsLeft -= 1;
      if (lifting.attemptsLeft < 0 || above.size > DEPTH_MAX || !isGiven(lifting, place, above.add(transition)))
        return false;
    }
  }
  above.delete(transition);
  return isEnabledIn(net, marking, transition);
}

/** Whether some transition could give a token to the place on demand. */
function isGiven(lifting: Lifting, place: number, above: Set<number>): boolean {
  for (const supplier of lifting.suppliers.get(place) ?? []) {
    if (above.has(supplier) || !isSupplied(lifting, supplier, above)) continue;
    fire(lifting, supplier);
    return true;
  }
  return false;
}
