// Reference engines: one with fewer features, and two in the usual design.

import type { Net } from '../src/core/net/net.ts';
import { forEachArc, placesOf } from '../src/core/net/walk-arcs.ts';

export interface Graph {
  /** By task: the tasks it needs, all before it. */
  readonly needs: readonly (readonly number[])[];
}

/** The least an engine can do: count down the needs of each task, with no tokens, places or order of priority. */
export function countDown({ needs }: Graph): () => number {
  const missing = Int32Array.from(needs, (some) => some.length);
  const after: number[][] = needs.map(() => []);
  for (const [task, some] of needs.entries()) for (const need of some) after[need]?.push(task);
  const ready = [...missing.keys()].filter((task) => missing[task] === 0);
  return () => {
    let firings = 0;
    for (let task = ready.pop(); task !== undefined; task = ready.pop()) {
      firings += 1;
      for (const next of after[task] ?? []) {
        const left = (missing[next] ?? 0) - 1;
        missing[next] = left;
        if (left === 0) ready.push(next);
      }
    }
    return firings;
  };
}

/** After every firing each transition that shares a place with it is asked again, as counters of inputs do. */
export function scanWaiters(net: Net): number {
  const counts = net.initial.slice();
  const asking: Set<number>[] = net.places.map(() => new Set());
  for (const transition of net.transitions.keys()) {
    for (const place of placesOf(net.takes, transition)) asking[place]?.add(transition);
  }
  const isReady = (transition: number): boolean =>
    placesOf(net.takes, transition).every((place) => (counts[place] ?? 0) > 0);
  const enabled = new Set([...net.transitions.keys()].filter(isReady));
  let firings = 0;
  for (let transition = firstOf(enabled); transition !== undefined; transition = firstOf(enabled)) {
    forEachArc(net.takes, transition, (place, weight) => (counts[place] = (counts[place] ?? 0) - weight));
    forEachArc(net.gives, transition, (place, weight) => (counts[place] = (counts[place] ?? 0) + weight));
    firings += 1;
    for (const place of [...placesOf(net.takes, transition), ...placesOf(net.gives, transition)]) {
      for (const other of asking[place] ?? []) {
        if (isReady(other)) enabled.add(other);
        else enabled.delete(other);
      }
    }
  }
  return firings;
}

function firstOf(set: ReadonlySet<number>): number | undefined {
  return set.values().next().value;
}

/** Names, maps and arrays of tokens, with every transition tested at every firing: the usual design of packages. */
export function playMaps(net: Net): number {
  const idOf = (place: number): string => net.places[place]?.id ?? '';
  const tokens = new Map(
    net.places.map(({ id }, place) => [id, Array.from({ length: net.initial[place] ?? 0 }, () => ({}))]),
  );
  const transitions = new Map(
    net.transitions.map(({ id }, transition) => [
      id,
      { takes: placesOf(net.takes, transition).map(idOf), gives: placesOf(net.gives, transition).map(idOf) },
    ]),
  );
  const isReady = ({ takes }: { readonly takes: readonly string[] }): boolean =>
    takes.every((place) => (tokens.get(place)?.length ?? 0) > 0);
  let firings = 0;
  for (;;) {
    const next = transitions.values().find(isReady);
    if (next === undefined) return firings;
    for (const place of next.takes) tokens.get(place)?.shift();
    for (const place of next.gives) tokens.get(place)?.push({ firing: firings });
    firings += 1;
  }
}
