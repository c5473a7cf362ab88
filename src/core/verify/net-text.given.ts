// Nets written as text, one line per transition: `claim: ready, pool*2 ? going -> working`. Places after `?` are read.
// Places are numbered in the order of their first mention; the initial tokens are given separately.

import { buildNet } from '../net/lay-net.ts';
import type { ArcTo, Named, Net } from '../net/net.ts';

export function netFrom(text: string, tokens: Readonly<Record<string, number>> = { source: 1 }): Net {
  const builder = buildNet<Named, Named>();
  const places = new Map<string, number>();
  const placeOf = (id: string): number => {
    const known = places.get(id);
    if (known !== undefined) return known;
    const place = builder.place({ id }, { tokens: tokens[id] ?? 0 });
    places.set(id, place);
    return place;
  };
  const arcs = (list: string): ArcTo[] =>
    list
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part): ArcTo => {
        const [id = '', weight = '1'] = part.split('*');
        return [placeOf(id), Number(weight)];
      });
  for (const id of Object.keys(tokens)) placeOf(id);
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [id = '', rest = ''] = line.split(':');
    const [left = '', gives = ''] = rest.split('->');
    const [takes = '', reads = ''] = left.split('?');
    builder.transition({ id: id.trim() }, { takes: arcs(takes), gives: arcs(gives), reads: arcs(reads) });
  }
  return builder.build();
}

export const namesOfFired = (net: Net, transitions: readonly number[] | undefined): readonly string[] | undefined =>
  transitions?.map((transition) => net.transitions[transition]?.id ?? '');
