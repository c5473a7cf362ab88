// The run as a play of its net, for a viewer of Petri nets: the net, its marking, then a line for each transition that fired.
import { assert } from '../../assert.ts';
import { apply } from '../../engine/apply/apply.ts';
import { stateAfterStart } from '../../engine/apply/fold.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { State } from '../../engine/state.ts';
import { markingOf } from '../../net/play.ts';
import { forEachArc } from '../../net/walk-arcs.ts';
import type { Arcs, Net } from '../../net/net.ts';
import type { PetrinautArc, PetrinautLine, PetrinautNet } from '../../protocol/web.ts';

export interface PetrinautPlay {
  /** The lines for the next event of the log. Events that set a marking become a marking; an amended plan is another net. */
  readonly take: (event: RunEvent) => readonly PetrinautLine[];
  readonly hasEnded: () => boolean;
}

export function openPetrinaut(): PetrinautPlay {
  let state: State | undefined;
  let position = 0;
  return {
    hasEnded: () => state?.run.stage === 'ended',
    take: (event) => {
      position += 1;
      if (event.type === 'run.started' && state === undefined) {
        state = stateAfterStart(event);
        return [definitionOf(state), markingAt(state, position, event.at)];
      }
      assert(state !== undefined, 'A log begins with the start of its run.');
      return playedOn(state, event, position);
    },
  };
}

function playedOn(state: State, event: RunEvent, position: number): readonly PetrinautLine[] {
  const { compiled } = state;
  apply(state, event);
  const { at } = event;
  const transition = state.fired === undefined ? undefined : state.compiled.net.transitions[state.fired];
  return [
    ...(state.compiled === compiled ? [] : [definitionOf(state)]),
    transition === undefined
      ? markingAt(state, position, at)
      : { type: 'firing', position, at, transition: transition.id },
  ];
}

const markingAt = (state: State, position: number, at: number): PetrinautLine => ({
  type: 'marking',
  position,
  at,
  marking: markingOf(state.play),
});

function definitionOf({ compiled }: State): PetrinautLine {
  const { net, plan } = compiled;
  const places = net.places.map(({ id }) => ({ id, name: id }));
  const transitions = net.transitions.map(({ id }, index) => ({
    id,
    name: id,
    // A reading needs a token and leaves it, which is an arc there and an arc back.
    inputArcs: [...arcsOf(net, net.takes, index), ...arcsOf(net, net.reads, index)],
    outputArcs: [...arcsOf(net, net.gives, index), ...arcsOf(net, net.reads, index)],
  }));
  const definition: PetrinautNet = { title: plan.name, places, transitions };
  return { type: 'definition', definition };
}

function arcsOf(net: Net, arcs: Arcs, transition: number): readonly PetrinautArc[] {
  const found: PetrinautArc[] = [];
  forEachArc(arcs, transition, (place, weight) => found.push({ placeId: net.places[place]?.id ?? '', weight }));
  return found;
}
