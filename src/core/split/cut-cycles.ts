// Cuts cycles of imports that are too large for one task, by leaving out as few imports as a simple rule can find.
//
// cut-cycles/K1. Only imports within a cycle that exceeds the bounds are cut, and no cycle that exceeds them is left.
// cut-cycles/K2. The order of the input does not matter.

import { byText, fits, itemAt, sum } from './source-file.ts';
import type { SourceFile, SplitBounds } from './source-file.ts';
import { componentsOf, membersOf } from '../graph/components.ts';
import { orderWithFewBackEdges } from '../graph/few-back-edges.ts';
import { graphOf, positionsIn, type Graph } from '../graph/directed-graph.ts';

export interface CutImport {
  readonly from: string;
  readonly to: string;
}

export interface CutFiles {
  readonly files: readonly SourceFile[];
  /** Imports for which no task waits. */
  readonly cuts: readonly CutImport[];
}

export function cutCycles(given: readonly SourceFile[], bounds: SplitBounds): CutFiles {
  const sorted = given.toSorted((one, other) => byText(one.path, other.path));
  const numbers = new Map(sorted.map(({ path }, index) => [path, index]));
  const imported = sorted.map(({ imports }, index) =>
    [...new Set(imports.flatMap((path) => numbers.get(path) ?? []))].filter((to) => to !== index).sort((a, b) => a - b),
  );
  const graph = graphOf(imported);
  const component = componentsOf(graph);
  const position = positionsToCut(graph, component, (own) => isTooLarge(sorted, own, bounds));
  const isCut = (from: number, to: number): boolean =>
    component[from] === component[to] && (position[from] ?? 0) > (position[to] ?? 0);
  const cuts = imported.flatMap((needs, from) => needs.filter((to) => isCut(from, to)).map((to) => ({ from, to })));
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

/** By node of a component that is to be cut, its position in an order that few edges run against; -1 for all others. */
function positionsToCut(
  graph: Graph,
  component: Int32Array,
  isTooLarge: (members: readonly number[]) => boolean,
): Int32Array {
  const orders = membersOf(component).flatMap((members) =>
    isTooLarge(members) ? [orderWithFewBackEdges(graph, members)] : [],
  );
  return positionsIn(Int32Array.from(orders.flat()), component.length);
}
