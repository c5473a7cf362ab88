// How the places and transitions of the net look at one position of the log: tokens at places, the transition that fired.
import type { State } from '../../src/core/engine/state.ts';
import { countAt } from '../../src/core/net/play.ts';
import type { Picture } from '../../src/core/view/draw/picture.ts';
import { PLAIN_LOOK, type PlanLooks } from './plan-looks.ts';
import type { NodeLook } from './scene-look.ts';

/** The node of a picture of the whole net as its place or transition; places come first in the picture. */
export interface NetNodes {
  readonly placeOf: ReadonlyMap<string, number>;
  readonly transitionOf: ReadonlyMap<string, number>;
}

export function netParts({ nodes }: Picture): NetNodes {
  const idsOf = (kind: 'place' | 'transition'): ReadonlyMap<string, number> =>
    new Map(nodes.filter((node) => node.kind === kind).map(({ id }, index) => [id, index]));
  return { placeOf: idsOf('place'), transitionOf: idsOf('transition') };
}

/** `shownAs` has the node that shows a part, which is another where its group is folded. */
export function netLooks(
  state: State,
  { placeOf, transitionOf }: NetNodes,
  shownAs: ReadonlyMap<string, string>,
): PlanLooks {
  const folded = new Map<string, { tokens: number; hasFired: boolean }>();
  for (const [part, shown] of shownAs) {
    if (part === shown) continue;
    const inside = folded.get(shown) ?? { tokens: 0, hasFired: false };
    const place = placeOf.get(part);
    if (place !== undefined) inside.tokens += countAt(state.play, place);
    inside.hasFired ||= state.fired !== undefined && transitionOf.get(part) === state.fired;
    folded.set(shown, inside);
  }
  return {
    lookOf: (node) => {
      const inside = folded.get(node);
      if (inside !== undefined) return foldedLook(inside.tokens, inside.hasFired);
      const place = placeOf.get(node);
      if (place !== undefined) return { ...PLAIN_LOOK, tokens: countAt(state.play, place) };
      return { ...PLAIN_LOOK, hasFired: state.fired !== undefined && transitionOf.get(node) === state.fired };
    },
    edgeLook: () => 'plain',
  };
}

/** The colours of places with tokens and of the transition that fired. */
function foldedLook(tokens: number, hasFired: boolean): NodeLook {
  const foot = tokens === 0 ? '' : `● ${tokens} ${tokens === 1 ? 'token' : 'tokens'}`;
  return { ...PLAIN_LOOK, group: hasFired ? 'asks' : tokens > 0 ? 'running' : 'waiting', foot };
}
