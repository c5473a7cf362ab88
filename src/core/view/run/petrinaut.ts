// The run as a play of its net, for a viewer of Petri nets: the net, its marking, then a line for each transition that fired.
import { apply } from '../../engine/apply/apply.ts';
import { begin, startOf } from '../../engine/apply/fold.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { State } from '../../engine/state.ts';
import { markingOf } from '../../net/play.ts';
import { forEachArc } from '../../net/walk-arcs.ts';
import type { Arcs, Net } from '../../net/net.ts';
import type { PetrinautArc, PetrinautLine, PetrinautNet } from '../../protocol/web.ts';

/** Events that set a marking become a marking; an amended plan is another net. */
export function* petrinautLines(events: readonly RunEvent[]): Generator<PetrinautLine, void> {
  const started = startOf(events);
  const state = begin(started);
  yield definitionOf(state);
  yield markingAt(state, 1, started.at);
  for (const [index, event] of events.entries()) {
    if (index === 0) continue;
    const { compiled } = state;
    apply(state, event);
    const position = index + 1;
    if (state.compiled !== compiled) yield definitionOf(state);
    const transition = state.fired === undefined ? undefined : state.compiled.net.transitions[state.fired];
    if (transition === undefined) yield markingAt(state, position, event.at);
    else yield { type: 'firing', position, at: event.at, transition: transition.id };
  }
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
