// Atoms: files that import each other in a circle, which no part divides. Most are one file.
//
// A1. Every file is in exactly one atom, and no atoms need each other in a circle.
// A2. Atoms and their files come in the order of their paths, whatever the order of the input.

import { componentsOf } from './components.ts';
import { byText, itemAt, sum } from './source-file.ts';
import type { Size, SourceFile } from './source-file.ts';

export interface Atom extends Size {
  readonly paths: readonly string[];
  /** The innermost folder around all its files, as names. */
  readonly folder: readonly string[];
  /** Atoms that it imports, by number. */
  readonly needs: readonly number[];
}

export function atomsOf(files: readonly SourceFile[]): readonly Atom[] {
  const sorted = uniqueByPath(files);
  const numbers = new Map(sorted.map(({ path }, index) => [path, index]));
  const graph = sorted.map(({ imports }, index) => {
    const to = new Set(imports.flatMap((path) => numbers.get(path) ?? []));
    to.delete(index);
    return [...to].sort((one, other) => one - other);
  });
  const component = componentsOf(graph);
  const members = membersByFirst(component);
  const atomOf = new Int32Array(sorted.length);
  members.forEach((own, atom) => own.forEach((file) => (atomOf[file] = atom)));
  return members.map((own, atom) => {
    const needs = new Set(own.flatMap((file) => itemAt(graph, file).map((to) => atomOf[to] ?? 0)));
    needs.delete(atom);
    const held = own.map((file) => itemAt(sorted, file));
    const paths = held.map(({ path }) => path);
    const { tokens } = sum(held.map((file) => ({ files: 1, tokens: file.tokens })));
    return { paths, folder: folderOf(paths), files: own.length, tokens, needs: [...needs].sort((a, b) => a - b) };
  });
}

function uniqueByPath(files: readonly SourceFile[]): readonly SourceFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()].sort((one, other) =>
    byText(one.path, other.path),
  );
}

/** The points of each component, the component with the smallest point first. */
function membersByFirst(component: Int32Array): readonly (readonly number[])[] {
  const members = new Map<number, number[]>();
  component.forEach((of, point) => {
    const own = members.get(of);
    if (own === undefined) members.set(of, [point]);
    else own.push(point);
  });
  return [...members.values()];
}

/** The innermost folder around some files. */
export function folderOf(paths: readonly string[]): readonly string[] {
  return paths.map((path) => path.split('/').slice(0, -1)).reduce((one, other) => one.slice(0, shared(one, other)));
}

/** How many names two folders share from the root. */
export function shared(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let depth = 0;
  while (depth < most && one[depth] === other[depth]) depth += 1;
  return depth;
}
