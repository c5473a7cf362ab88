import { at } from '../../net/at.ts';
import type { Arcs } from '../../net/net.ts';
import type { FlatNet } from '../flat-net.ts';
import { GIVES, insert, NONE, portOf, RESOURCE, TAKES, type LinkedNet, type WorkList } from './linked-net.ts';

export interface LinkedParts {
  readonly flat: FlatNet;
  /** By place: ORDINARY, SOURCE, SINK or RESOURCE. */
  readonly role: Int32Array;
  /** By place: 1 where the place is left out of the proof. */
  readonly stripped: Int32Array;
}

/** Copies a net without its stripped places into a form that the rules can change. */
export function linkNet({ flat, role, stripped }: LinkedParts): LinkedNet {
  const net = emptyNet(flat, role, stripped);
  for (let transition = 0; transition < flat.transitionCount; transition += 1) {
    const copy = (arcs: Arcs, side: number): void => {
      const end = at(arcs.start, transition + 1);
      for (let arc = at(arcs.start, transition); arc < end; arc += 1) {
        const place = at(arcs.place, arc);
        if (at(stripped, place) === 0) insert(net, portOf(transition, side), { place, weight: at(arcs.weight, arc) });
      }
    };
    copy(flat.takes, TAKES);
    copy(flat.gives, GIVES);
  }
  return net;
}

function emptyNet(flat: FlatNet, role: Int32Array, stripped: Int32Array): LinkedNet {
  const { placeCount, transitionCount } = flat;
  const room = flat.takes.place.length + flat.gives.place.length;
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
    growth: room + GROWTH_AT_LEAST,
  };
}

/** Small nets may grow by this many arcs while they are reduced; larger ones by as many arcs as they have. */
const GROWTH_AT_LEAST = 1_000;

function emptyList(room: number): WorkList {
  return { items: new Int32Array(room), holds: new Int32Array(room), length: 0 };
}
