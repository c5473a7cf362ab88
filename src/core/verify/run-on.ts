// One run of a net from a marking to where nothing can fire any more. Everything that can fire gets its turn, so that a
// loop does not keep the rest from going on.

import { at } from '../assert.ts';
import { applyFiring, isEnabledIn } from './search/explore.ts';
import type { FlatNet } from './search/flat-net.ts';

export interface EndOfRun {
  readonly trace: readonly number[];
  readonly marking: Int32Array;
}

/** Bound on attempts to fire, for each transition of the net. */
const ATTEMPTS_EACH = 40;

/** Undefined when the run is still going on at the bound. `isLeftOut` names transitions that may not fire. */
export function runOn(
  net: FlatNet,
  from: Int32Array,
  isLeftOut: (transition: number) => boolean,
): EndOfRun | undefined {
  const marking = from.slice();
  const takers = takersIn(net);
  const isQueued = new Uint8Array(net.transitionCount).fill(1);
  const queue = Array.from({ length: net.transitionCount }, (_, transition) => transition);
  const trace: number[] = [];
  const most = ATTEMPTS_EACH * net.transitionCount;
  for (let next = 0; next < queue.length; next += 1) {
    if (next > most) return undefined;
    const transition = queue[next] ?? 0;
    isQueued[transition] = 0;
    if (isLeftOut(transition) || !isEnabledIn(net, marking, transition)) continue;
    applyFiring(net, marking, { transition, sign: 1 });
    trace.push(transition);
    const wake = (each: number): void => {
      if (isQueued[each] === 0) queue.push(each);
      isQueued[each] = 1;
    };
    wake(transition);
    for (let arc = at(net.gives.start, transition); arc < at(net.gives.start, transition + 1); arc += 1)
      for (const taker of takers[at(net.gives.place, arc)] ?? []) wake(taker);
  }
  return { trace, marking };
}

function takersIn({ placeCount, transitionCount, takes }: FlatNet): readonly (readonly number[])[] {
  const takers: number[][] = Array.from({ length: placeCount }, () => []);
  for (let transition = 0; transition < transitionCount; transition += 1)
    for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1)
      takers[at(takes.place, arc)]?.push(transition);
  return takers;
}
