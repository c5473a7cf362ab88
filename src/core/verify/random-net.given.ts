// Small random nets for the laws: workflow nets grown by refinement, then given resources, reads and damage.

import { buildNet } from '../net/lay-net.ts';
import type { ArcTo, Named, Net } from '../net/net.ts';

/** Integers below a bound, determined by one seed. */
export type Draw = (bound: number) => number;

export function draws(seed: number): Draw {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const stirred = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return ((stirred ^ (stirred >>> 14)) >>> 0) % bound;
  };
}

type Bag = Map<number, number>;
interface Sketch {
  readonly initial: number[];
  readonly transitions: { readonly takes: Bag; readonly gives: Bag; readonly reads: Bag }[];
}

const add = (bag: Bag, place: number, weight = 1): void => void bag.set(place, (bag.get(place) ?? 0) + weight);
const SOURCE = 0;
const SINK = 1;

function layPlace(sketch: Sketch, tokens = 0): number {
  return sketch.initial.push(tokens) - 1;
}

function layTransition(sketch: Sketch, takes: readonly number[], gives: readonly number[]): number {
  const bag = (places: readonly number[]): Bag => {
    const counted: Bag = new Map();
    for (const place of places) add(counted, place);
    return counted;
  };
  return sketch.transitions.push({ takes: bag(takes), gives: bag(gives), reads: new Map() }) - 1;
}

function pick<T>(draw: Draw, items: readonly T[]): T {
  const item = items[draw(items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}

const innerPlaces = (sketch: Sketch): number[] =>
  sketch.initial.flatMap((tokens, place) => (place > SINK && tokens === 0 ? [place] : []));

/** Refinements; each keeps a sound net sound. */
const REFINEMENTS: readonly ((sketch: Sketch, draw: Draw) => void)[] = [
  function splitTransition(sketch, draw) {
    const transition = pick(draw, sketch.transitions);
    const between = layPlace(sketch);
    const after = layTransition(sketch, [between], []);
    const later = sketch.transitions[after];
    for (const [place, weight] of transition.gives) later?.gives.set(place, weight);
    transition.gives.clear();
    add(transition.gives, between);
  },
  function addParallelWay(sketch, draw) {
    const transition = pick(draw, sketch.transitions);
    const between = [layPlace(sketch), layPlace(sketch)];
    const after = sketch.transitions[layTransition(sketch, between, [])];
    for (const [place, weight] of transition.gives) after?.gives.set(place, weight);
    transition.gives.clear();
    for (const place of between) add(transition.gives, place);
  },
  function addChoice(sketch, draw) {
    const { takes, gives, reads } = pick(draw, sketch.transitions);
    sketch.transitions.push({ takes: new Map(takes), gives: new Map(gives), reads: new Map(reads) });
  },
  function addLoop(sketch, draw) {
    const inner = innerPlaces(sketch);
    if (inner.length > 0) {
      const place = pick(draw, inner);
      layTransition(sketch, [place], [place]);
    }
  },
  function addWayThroughPlace(sketch, draw) {
    const inner = innerPlaces(sketch);
    if (inner.length === 0) return;
    const place = pick(draw, inner);
    const copy = layPlace(sketch);
    for (const { takes } of sketch.transitions) {
      const weight = takes.get(place);
      if (weight === undefined || draw(2) === 0) continue;
      takes.delete(place);
      takes.set(copy, weight);
    }
    layTransition(sketch, [place], [copy]);
  },
  function addCrossedWays(sketch, draw) {
    // Two branches of which one also feeds the other, so that no nesting of series and parallel parts describes them;
    // often with an arc back, so that they form a loop.
    const inner = innerPlaces(sketch);
    if (inner.length === 0) return;
    const place = pick(draw, inner);
    const after = layPlace(sketch);
    for (const { takes } of sketch.transitions) {
      const weight = takes.get(place);
      if (weight !== undefined) takes.delete(place);
      if (weight !== undefined) takes.set(after, weight);
    }
    const [left, right, down, across, low, high, end] = Array.from({ length: 7 }, () => layPlace(sketch));
    if (!left || !right || !down || !across || !low || !high || !end) return;
    layTransition(sketch, [place], [left, right]);
    layTransition(sketch, [left], [down, across]);
    layTransition(sketch, [right], [low]);
    layTransition(sketch, [down], [high]);
    layTransition(sketch, [across, low], [end]);
    layTransition(sketch, [high, end], [after]);
    if (draw(2) === 0) layTransition(sketch, [after], [place]);
  },
  function addOrder(sketch, draw) {
    // An arc from a transition to another of the same or a later age; often harmless, sometimes a deadlock.
    const [from, to] = [draw(sketch.transitions.length), draw(sketch.transitions.length)];
    const place = layPlace(sketch);
    const giver = sketch.transitions[from];
    const taker = sketch.transitions[to];
    if (giver !== undefined && taker !== undefined && from !== to) {
      add(giver.gives, place);
      add(taker.takes, place);
    }
  },
  function addEarlyReader(sketch, draw) {
    // Several tokens arrive; one transition reads some of them, and the last takes all.
    const count = 2 + draw(2);
    const base = pick(draw, sketch.transitions);
    const arrived = layPlace(sketch);
    const ended = layPlace(sketch);
    const last = sketch.transitions[layTransition(sketch, [ended], [])];
    for (const [place, weight] of base.gives) last?.gives.set(place, weight);
    base.gives.clear();
    last?.takes.set(arrived, count);
    for (let index = 0; index < count; index += 1) {
      const started = layPlace(sketch);
      add(base.gives, started);
      layTransition(sketch, [started], [arrived]);
    }
    const waiting = layPlace(sketch);
    add(base.gives, waiting);
    const working = draw(2) === 0 ? ended : layPlace(sketch);
    const reader = sketch.transitions[layTransition(sketch, [waiting], [working])];
    reader?.reads.set(arrived, 1 + draw(count));
    if (working !== ended) layTransition(sketch, [working], [ended]);
  },
];

/** A pool around some places: transitions that fill a place take from the pool, transitions that empty it give back. */
function addPool(sketch: Sketch, draw: Draw): void {
  const pool = layPlace(sketch, 1 + draw(3));
  for (let users = 1 + draw(3); users > 0; users -= 1) {
    if (draw(3) > 0) addWork(sketch, draw, pool);
    else guardPlace(sketch, draw, pool);
  }
}

/** Replaces a transition by a start, a running place and exits, like the step of a plan. */
function addWork(sketch: Sketch, draw: Draw, pool: number): void {
  const start = pick(draw, sketch.transitions);
  const running = layPlace(sketch);
  const weight = 1 + draw(2);
  const ends = [layTransition(sketch, [running], []), ...(draw(3) === 0 ? [layTransition(sketch, [running], [])] : [])];
  for (const end of ends) {
    for (const [place, tokens] of start.gives) sketch.transitions[end]?.gives.set(place, tokens);
    sketch.transitions[end]?.gives.set(pool, (start.gives.get(pool) ?? 0) + weight);
  }
  start.gives.clear();
  add(start.gives, running);
  add(start.takes, pool, weight);
  if (draw(3) === 0) layTransition(sketch, [running], [running]);
}

/**
 * Every transition that fills a place takes from the pool, and every transition that empties it gives back: rarely a
 * correct pool.
 */
function guardPlace(sketch: Sketch, draw: Draw, pool: number): void {
  const inner = innerPlaces(sketch);
  if (inner.length === 0) return;
  const running = pick(draw, inner);
  const weight = 1 + draw(2);
  for (const { takes, gives } of sketch.transitions) {
    const [taken, given] = [takes.get(running) ?? 0, gives.get(running) ?? 0];
    if (given > taken) add(takes, pool, weight * (given - taken));
    if (taken > given) add(gives, pool, weight * (taken - given));
  }
}

function addSwitch(sketch: Sketch, draw: Draw): void {
  const [on, off] = [layPlace(sketch, 1), layPlace(sketch)];
  for (let user = 0; user <= draw(3); user += 1) pick(draw, sketch.transitions).reads.set(draw(8) === 0 ? off : on, 1);
  layTransition(sketch, [on], [off]);
  layTransition(sketch, [off], [on]);
}

/**
 * Places in a cycle beside the flow, through which tokens go round by themselves, at times two at once, in two parts, or
 * while another place has some; some transitions read them.
 */
function addCycle(sketch: Sketch, draw: Draw): void {
  const places = Array.from({ length: 2 + draw(3) }, (_, at) => layPlace(sketch, at === 0 ? 1 + draw(2) : 0));
  const users = draw(3);
  for (let user = 0; user < users; user += 1) pick(draw, sketch.transitions).reads.set(pick(draw, places), 1 + draw(2));
  const kind = draw(6);
  const beside = kind === 2 ? layPlace(sketch) : undefined;
  const moves = places.map((place, at) => {
    const weight = kind === 1 ? 2 : 1;
    const from = Array.from({ length: weight }, () => place);
    const to = Array.from({ length: weight }, () => places[(at + 1) % places.length] ?? place);
    const isSplit = at === 0 && beside !== undefined;
    const isMeeting = at === places.length - 1 && beside !== undefined;
    return layTransition(sketch, isMeeting ? [...from, beside] : from, isSplit ? [...to, beside] : to);
  });
  if (kind !== 3) return;
  const [on, off] = [layPlace(sketch, 1), layPlace(sketch)];
  sketch.transitions[pick(draw, moves)]?.reads.set(pick(draw, [on, off]), 1);
  layTransition(sketch, [on], [off]);
  layTransition(sketch, [off], [on]);
}

const bagOf = (draw: Draw, transition: Sketch['transitions'][number]): Bag =>
  pick(draw, [transition.takes, transition.gives, transition.takes, transition.gives, transition.reads]);

function damage(sketch: Sketch, draw: Draw): void {
  const bag = bagOf(draw, pick(draw, sketch.transitions));
  const places = [...bag.keys()];
  const kind = draw(5);
  if (kind < 2 && places.length > 0) bag.delete(pick(draw, places));
  else if (kind < 4) add(bag, draw(sketch.initial.length));
  else if (places.length > 0) bag.set(pick(draw, places), 1 + draw(3));
}

export interface RandomNetOptions {
  readonly seed: number;
  readonly refinements: number;
  /** Whether half of the nets get a cycle of resources beside the flow. */
  readonly hasCycles?: boolean;
}

/** A workflow net that is sound about half of the time. */
export function randomWorkflowNet({ seed, refinements, hasCycles = false }: RandomNetOptions): Net {
  const draw = draws(seed);
  const sketch: Sketch = { initial: [1, 0], transitions: [] };
  layTransition(sketch, [SOURCE], [SINK]);
  for (let round = draw(refinements + 1); round > 0; round -= 1) pick(draw, REFINEMENTS)(sketch, draw);
  for (let pools = Math.max(0, draw(5) - 2); pools > 0; pools -= 1) addPool(sketch, draw);
  if (draw(4) === 0) addSwitch(sketch, draw);
  if (hasCycles && draw(2) === 0) addCycle(sketch, draw);
  for (let wounds = Math.max(0, draw(5) - 2); wounds > 0; wounds -= 1) damage(sketch, draw);
  return netOf(sketch);
}

/** Any net: random arcs and tokens. */
export function randomNet({ seed, refinements }: RandomNetOptions): Net {
  const draw = draws(seed);
  const sketch: Sketch = { initial: [], transitions: [] };
  for (let places = 2 + draw(refinements); places > 0; places -= 1) layPlace(sketch, draw(3) === 0 ? 1 : 0);
  for (let count = 1 + draw(refinements); count > 0; count -= 1) {
    const transition =
      sketch.transitions[layTransition(sketch, [draw(sketch.initial.length)], [draw(sketch.initial.length)])];
    if (transition === undefined) continue;
    for (let arcs = draw(3); arcs > 0; arcs -= 1) add(bagOf(draw, transition), draw(sketch.initial.length));
  }
  return netOf(sketch);
}

function netOf({ initial, transitions }: Sketch): Net {
  const builder = buildNet<Named, Named>();
  initial.forEach((tokens, place) => builder.place({ id: `p${place}` }, { tokens }));
  const arcs = (bag: Bag): ArcTo[] => [...bag].map(([place, weight]): ArcTo => [place, weight]);
  transitions.forEach(({ takes, gives, reads }, index) => {
    builder.transition({ id: `t${index}` }, { takes: arcs(takes), gives: arcs(gives), reads: arcs(reads) });
  });
  return builder.build();
}
