// A net out of places and transitions that carry their names with them. Nets too large for that are laid by number,
// with `layNet`, and named when somebody asks.

import { layNet } from './lay-net.ts';
import type { Named, NetBuilder } from './net.ts';

export function buildNet<P extends Named, T extends Named>(): NetBuilder<P, T> {
  const layer = layNet();
  const places: P[] = [];
  const transitions: T[] = [];
  return {
    place: (place, options) => {
      places.push(place);
      return layer.place(options);
    },
    transition: (transition, arcs) => {
      transitions.push(transition);
      return layer.transition(arcs);
    },
    build: () => ({ ...layer.parts(), places: [...places], transitions: [...transitions] }),
  };
}
