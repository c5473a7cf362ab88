// A net as readable and comparable text: its places, then its transitions with their takes, gives and reads.
//
// print-net/K1. The same net gives the same text, byte for byte, in the order of its places and transitions.
import type { Arcs, Named, Net } from '../net/net.ts';
import { forEachArc } from '../net/walk-arcs.ts';

/**
 * One line per place, `name = tokens` where it has initial tokens; one line per transition, `name: takes → gives
 * [reads]`.
 */
export function printNet(net: Net): string {
  const places = net.places.map(({ id }, place) => {
    const tokens = net.initial[place] ?? 0;
    return tokens === 0 ? `  ${id}` : `  ${id} = ${tokens}`;
  });
  const transitions = net.transitions.map(({ id }, transition) => `  ${id}: ${arcsOf(net, transition)}`);
  return ['places', ...places, '', 'transitions', ...transitions, ''].join('\n');
}

function arcsOf({ places, takes, gives, reads }: Net, transition: number): string {
  const read = listOf(places, reads, transition);
  const moved = `${listOf(places, takes, transition)} → ${listOf(places, gives, transition)}`;
  return read === '' ? moved : `${moved} [${read}]`;
}

function listOf(places: readonly Named[], arcs: Arcs, transition: number): string {
  const names: string[] = [];
  forEachArc(arcs, transition, (place, weight) => {
    const id = places[place]?.id ?? '';
    names.push(weight === 1 ? id : `${weight} ${id}`);
  });
  return names.join(' + ');
}
