// A net as text that people can read and compare: its places, then its transitions with what they take, give, read.
//
// print-net/K1. The same net gives the same text, byte for byte, in the order of its places and transitions.
import type { Arcs, Named, Net } from '../net/net.ts';
import { forEachArc } from '../net/walk-arcs.ts';

/** One line a place, `name = tokens` where some lie at the start; one line a transition, `name: takes → gives [reads]`. */
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
