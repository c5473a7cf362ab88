// Cuts circles of imports that are too large for one task, by leaving out as few imports as a simple rule can find.
//
// K1. Only imports within a circle that exceeds the bounds are cut, and no circle that exceeds them is left.
// K2. The order of the input does not matter.

import { byText, fits, itemAt, sum } from './source-file.ts';
import type { SourceFile, SplitBounds } from './source-file.ts';
import { componentsOf } from './components.ts';
import type { Graph } from './components.ts';

export interface CutImport {
  readonly from: string;
  readonly to: string;
}

export interface CutFiles {
  readonly files: readonly SourceFile[];
  /** Imports for which nobody waits. */
  readonly cuts: readonly CutImport[];
}

export function cutCircles(given: readonly SourceFile[], bounds: SplitBounds): CutFiles {
  const sorted = given.toSorted((one, other) => byText(one.path, other.path));
  const numbers = new Map(sorted.map(({ path }, index) => [path, index]));
  const graph = sorted.map(({ imports }, index) =>
    [...new Set(imports.flatMap((path) => numbers.get(path) ?? []))].filter((to) => to !== index).sort((a, b) => a - b),
  );
  const component = componentsOf(graph);
  const place = placesIn(graph, component, (own) => isTooLarge(sorted, own, bounds));
  const isCut = (from: number, to: number): boolean =>
    component[from] === component[to] && (place[from] ?? 0) > (place[to] ?? 0);
  const cuts = graph.flatMap((needs, from) => needs.filter((to) => isCut(from, to)).map((to) => ({ from, to })));
  const files = sorted.map((file, from) => ({
    ...file,
    imports: file.imports.filter((path) => !isCut(from, numbers.get(path) ?? from)),
  }));
  const pathOf = (file: number): string => itemAt(sorted, file).path;
  return { files, cuts: cuts.map(({ from, to }) => ({ from: pathOf(from), to: pathOf(to) })) };
}

function isTooLarge(files: readonly SourceFile[], own: readonly number[], bounds: SplitBounds): boolean {
  return own.length > 1 && !fits(sum(own.map((file) => ({ files: 1, tokens: itemAt(files, file).tokens }))), bounds);
}

/** For each point of a circle that is to be cut its place in an order that most ways follow; 0 for all others. */
function placesIn(graph: Graph, component: Int32Array, isWanted: (own: readonly number[]) => boolean): Int32Array {
  const members = new Map<number, number[]>();
  component.forEach((of, point) => {
    const own = members.get(of);
    if (own === undefined) members.set(of, [point]);
    else own.push(point);
  });
  const place = new Int32Array(graph.length);
  for (const own of members.values()) {
    if (isWanted(own)) orderOf(graph, own).forEach((point, at) => (place[point] = at));
  }
  return place;
}

interface Ordering {
  readonly out: ReadonlyMap<number, readonly number[]>;
  readonly into: ReadonlyMap<number, readonly number[]>;
  readonly outs: Map<number, number>;
  readonly ins: Map<number, number>;
  /** Points that are left, by how many more ways lead out of them than into them. */
  readonly byLead: Map<number, Set<number>>;
  mostLead: number;
}

/** The rule of Eades, Lin and Smyth: what nothing leaves goes last, what nothing enters first, else what leads most. */
function orderOf(graph: Graph, own: readonly number[]): readonly number[] {
  const ordering = orderingOf(graph, own);
  const first: number[] = [];
  const last: number[] = [];
  const ends = own.filter((point) => ordering.outs.get(point) === 0);
  const starts: number[] = [];
  while (ordering.outs.size > 0) {
    const end = ends.pop();
    const start = end === undefined ? starts.pop() : undefined;
    const point = end ?? start ?? leading(ordering);
    if (!ordering.outs.has(point)) continue;
    (end === undefined ? first : last).push(point);
    take(ordering, point, { ends, starts });
  }
  return [...first, ...last.toReversed()];
}

function orderingOf(graph: Graph, own: readonly number[]): Ordering {
  const here = new Set(own);
  const out = new Map(own.map((point) => [point, itemAt(graph, point).filter((to) => here.has(to))]));
  const into = new Map<number, number[]>(own.map((point) => [point, []]));
  for (const [point, ways] of out) for (const to of ways) into.get(to)?.push(point);
  const outs = new Map(own.map((point) => [point, out.get(point)?.length ?? 0]));
  const ins = new Map(own.map((point) => [point, into.get(point)?.length ?? 0]));
  const ordering: Ordering = { out, into, outs, ins, byLead: new Map(), mostLead: -Infinity };
  for (const point of own) place(ordering, point);
  return ordering;
}

const leadOf = ({ outs, ins }: Ordering, point: number): number => (outs.get(point) ?? 0) - (ins.get(point) ?? 0);

function place(ordering: Ordering, point: number): void {
  const lead = leadOf(ordering, point);
  const same = ordering.byLead.get(lead) ?? new Set();
  ordering.byLead.set(lead, same.add(point));
  ordering.mostLead = Math.max(ordering.mostLead, lead);
}

function leading(ordering: Ordering): number {
  for (; ; ordering.mostLead -= 1) {
    for (const point of ordering.byLead.get(ordering.mostLead) ?? []) return point;
  }
}

/** Takes a point out, with all its ways. */
function take(ordering: Ordering, point: number, found: { readonly ends: number[]; readonly starts: number[] }): void {
  const { out, into, outs, ins, byLead } = ordering;
  byLead.get(leadOf(ordering, point))?.delete(point);
  outs.delete(point);
  ins.delete(point);
  const lessen = (counts: Map<number, number>, others: readonly number[] | undefined, emptied: number[]): void => {
    for (const other of others ?? []) {
      const count = counts.get(other);
      if (count === undefined) continue;
      byLead.get(leadOf(ordering, other))?.delete(other);
      counts.set(other, count - 1);
      place(ordering, other);
      if (count === 1) emptied.push(other);
    }
  };
  lessen(outs, into.get(point), found.ends);
  lessen(ins, out.get(point), found.starts);
}
