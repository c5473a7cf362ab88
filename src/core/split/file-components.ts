// Components: files that import each other in a cycle, which no part divides. Most are one file.
//
// file-components/A1. Every file is in exactly one component, and no components need each other in a cycle.
// file-components/A2. Components and their files come in the order of their paths, whatever the order of the input.

import { componentsOf, membersOf } from '../graph/components.ts';
import { graphOf } from '../graph/directed-graph.ts';
import { byText, itemAt, sum } from './source-file.ts';
import type { PartSize, SourceFile } from './source-file.ts';

export interface FileComponent extends PartSize {
  readonly paths: readonly string[];
  /** The innermost folder around all its files, as names. */
  readonly folder: readonly string[];
  /** Components that it imports, by number. */
  readonly needs: readonly number[];
}

export function fileComponents(files: readonly SourceFile[]): readonly FileComponent[] {
  const sorted = uniqueByPath(files);
  const numbers = new Map(sorted.map(({ path }, index) => [path, index]));
  const imported = sorted.map(({ imports }, index) => {
    const to = new Set(imports.flatMap((path) => numbers.get(path) ?? []));
    to.delete(index);
    return [...to].sort((one, other) => one - other);
  });
  const members = membersOf(componentsOf(graphOf(imported)));
  const componentOf = new Int32Array(sorted.length);
  members.forEach((own, component) => own.forEach((file) => (componentOf[file] = component)));
  return members.map((own, component) => {
    const needs = new Set(own.flatMap((file) => itemAt(imported, file).map((to) => componentOf[to] ?? 0)));
    needs.delete(component);
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
