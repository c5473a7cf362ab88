// A copy of a net in play: firing in one leaves the other as it was. Nets and colours never change, so both share them.
import type { Heaps } from '../graph/heap.ts';
import type { Marking } from './marking.ts';
import type { Play, Waits, WeightedHeaps } from './waits.ts';

export function copyPlay<C extends {}>({ net, marking, waits }: Play<C>): Play<C> {
  return { net, marking: copyMarking(marking), waits: copyWaits(waits) };
}

function copyMarking<C>({ counts, counted, oldest, later }: Marking<C>): Marking<C> {
  return {
    counts: counts.slice(),
    counted,
    oldest: oldest.slice(),
    later: new Map([...later].map(([place, { items, head }]) => [place, { items: items.slice(), head }])),
  };
}

function copyWaits(waits: Waits): Waits {
  return {
    ...waits,
    heaps: copyHeaps(waits.heaps),
    byWeight: new Map([...waits.byWeight].map(([place, heaps]) => [place, copyWeighted(heaps)])),
    waitsOn: waits.waitsOn.slice(),
    lookFrom: waits.lookFrom.slice(),
    wokenBy: waits.wokenBy.slice(),
    held: waits.held.slice(),
    postponedOn: waits.postponedOn.slice(),
    postponed: new Map([...waits.postponed].map(([place, transitions]) => [place, new Set(transitions)])),
  };
}

const copyWeighted = ({ tops, ...heaps }: WeightedHeaps): WeightedHeaps => ({
  ...heaps,
  tops: { room: tops.room, keys: tops.keys.slice() },
});

/** `start` never changes. */
export const copyHeaps = ({ keys, items, start, size }: Heaps): Heaps => ({
  keys: keys.slice(),
  items: items.slice(),
  start,
  size: size.slice(),
});
