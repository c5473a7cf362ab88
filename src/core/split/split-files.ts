// Splits a code base into a tree of parts whose leaves become tasks: by folder, then by imports, then by size.
//
// split-files/S1. Every file is in exactly one leaf.
// split-files/S2. Files that import each other in a cycle are in one leaf, and no leaves need each other in a cycle.
// split-files/S3. For each import between two leaves the one waits for the other, by a need or through others.
// split-files/S4. A leaf exceeds the bounds only when a single file or a single cycle does; one with too few files has
//   no other that it could join.
// split-files/S5. The order of the input does not matter.

import { absorb } from './absorb.ts';
import { arrange, type LeafPlace } from './arrange.ts';
import { fileComponents, folderOf, type FileComponent } from './file-components.ts';
import { gatherGroups } from './gather-groups.ts';
import { nameParts, type NamedPart } from './part-ids.ts';
import { needsOfGroups, reduceNeeds, untangle } from './untangle.ts';
import { fits, itemAt, sum, type PartSize, type SourceFile, type SplitBounds } from './source-file.ts';

interface PartBase {
  readonly id: string;
  /** Dotted, from the root of the plan. */
  readonly path: string;
  /** Path of the part around it; undefined at the root. */
  readonly parent: string | undefined;
  /** The innermost folder around its files; empty for the root of the project. */
  readonly folder: string;
  readonly tokens: number;
}

export interface SplitLeaf extends PartBase {
  readonly type: 'leaf';
  readonly files: readonly string[];
  /** No other leaf has a file below its folder, so that new files there are its own. */
  readonly ownsFolder: boolean;
  /** Paths of the leaves that it waits for. */
  readonly needs: readonly string[];
  /** Why the part exceeds the bounds, when it does: it cannot be divided further. */
  readonly excess: 'file' | 'cycle' | undefined;
}

export interface SplitBranch extends PartBase {
  readonly type: 'branch';
  readonly fileCount: number;
  readonly children: readonly SplitPart[];
}

export type SplitPart = SplitLeaf | SplitBranch;

export interface Split {
  readonly parts: readonly SplitPart[];
  readonly leaves: readonly SplitLeaf[];
  /** The plan itself counts as one. */
  readonly levels: number;
  readonly size: PartSize;
}

export function splitFiles(files: readonly SourceFile[], bounds: SplitBounds): Split {
  const components = fileComponents(files);
  const groups = absorb(components, untangle(components, gatherGroups(components, bounds)), bounds).toSorted(
    (one, other) => itemAt(one, 0) - itemAt(other, 0),
  );
  const places = groups.map((own) => placeOf(components, own));
  const named = nameParts(arrange(places), places);
  const drawn: SplitContext = {
    components,
    groups,
    places,
    bounds,
    needs: reduceNeeds(needsOfGroups(components, groups)),
    filesBelow: countBelow(files),
    paths: pathsOf(named),
  };
  const parts = named.map((part) => partOf(drawn, part, undefined));
  return { parts, leaves: leavesIn(parts), levels: 1 + depthOf(parts), size: sum(components) };
}

interface SplitContext {
  readonly components: readonly FileComponent[];
  readonly groups: readonly (readonly number[])[];
  readonly places: readonly LeafPlace[];
  readonly bounds: SplitBounds;
  readonly needs: readonly (readonly number[])[];
  /** The path of each leaf. */
  readonly paths: ReadonlyMap<number, string>;
  /** How many files are below each folder. */
  readonly filesBelow: ReadonlyMap<string, number>;
}

function countBelow(files: readonly SourceFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of files)
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
      counts.set(path.slice(0, end), (counts.get(path.slice(0, end)) ?? 0) + 1);
  return counts;
}

function placeOf(components: readonly FileComponent[], own: readonly number[]): LeafPlace {
  const paths = own.flatMap((component) => itemAt(components, component).paths).sort();
  return { paths, folder: folderOf(paths) };
}

function pathsOf(named: readonly NamedPart[], parent = ''): ReadonlyMap<number, string> {
  const paths = new Map<number, string>();
  for (const { id, part, children } of named) {
    const path = parent === '' ? id : `${parent}.${id}`;
    if (part.type === 'leaf') paths.set(part.leaf, path);
    for (const [leaf, inner] of pathsOf(children, path)) paths.set(leaf, inner);
  }
  return paths;
}

function partOf(drawn: SplitContext, { id, part, children }: NamedPart, parent: string | undefined): SplitPart {
  const path = parent === undefined ? id : `${parent}.${id}`;
  const base = { id, path, parent };
  if (part.type === 'leaf') return { ...base, ...leafOf(drawn, part.leaf) };
  const inner = children.map((child) => partOf(drawn, child, path));
  const { files, tokens } = sum(inner.map(partSizeOf));
  return { ...base, type: 'branch', folder: part.folder.join('/'), fileCount: files, tokens, children: inner };
}

function leafOf(drawn: SplitContext, leaf: number): Omit<SplitLeaf, 'id' | 'path' | 'parent'> {
  const { paths, ...place } = itemAt(drawn.places, leaf);
  const folder = place.folder.join('/');
  const held = itemAt(drawn.groups, leaf).map((component) => itemAt(drawn.components, component));
  const size = sum(held);
  const excess = size.files === 1 ? 'file' : 'cycle';
  const needs = itemAt(drawn.needs, leaf).map((need) => drawn.paths.get(need) ?? '');
  return {
    type: 'leaf',
    folder,
    files: paths,
    ownsFolder: drawn.filesBelow.get(folder) === paths.length,
    tokens: size.tokens,
    needs: needs.sort(),
    excess: fits(size, drawn.bounds) ? undefined : excess,
  };
}

export const partSizeOf = (part: SplitPart): PartSize => ({
  files: part.type === 'leaf' ? part.files.length : part.fileCount,
  tokens: part.tokens,
});

function leavesIn(parts: readonly SplitPart[]): readonly SplitLeaf[] {
  return parts.flatMap((part) => (part.type === 'leaf' ? [part] : leavesIn(part.children)));
}

function depthOf(parts: readonly SplitPart[]): number {
  return parts.reduce((depth, part) => Math.max(depth, part.type === 'leaf' ? 1 : 1 + depthOf(part.children)), 0);
}
