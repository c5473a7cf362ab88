// How the places and transitions of the net look at one position of the log: tokens at places, the transition that fired.
import type { State } from '../../src/core/engine/state.ts';
import { countAt } from '../../src/core/net/play.ts';
import type { Picture } from '../../src/core/view/draw/picture.ts';
import { PLAIN_LOOK, type PlanLooks } from './plan-looks.ts';

/** The node of a picture of the whole net as its place or transition; places come first in the picture. */
export interface NetParts {
  readonly placeOf: ReadonlyMap<string, number>;
  readonly transitionOf: ReadonlyMap<string, number>;
}

export function netParts({ nodes }: Picture): NetParts {
  const idsOf = (kind: 'place' | 'transition'): ReadonlyMap<string, number> =>
    new Map(nodes.filter((node) => node.kind === kind).map(({ id }, index) => [id, index]));
  return { placeOf: idsOf('place'), transitionOf: idsOf('transition') };
}

export function netLooks(state: State, { placeOf, transitionOf }: NetParts): PlanLooks {
  return {
    lookOf: (node) => {
      const place = placeOf.get(node);
      if (place !== undefined) return { ...PLAIN_LOOK, tokens: countAt(state.play, place) };
      return { ...PLAIN_LOOK, hasFired: state.fired !== undefined && transitionOf.get(node) === state.fired };
    },
    edgeLook: () => 'plain',
  };
}
