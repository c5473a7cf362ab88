// Gathers components into groups by folder: a folder that is small enough with all its contents is one group; otherwise
// each of its folders is handled by itself, and its own files are divided, first by imports, then by size.
//
// gather-groups/D1. Every component comes back in exactly one division.
// gather-groups/D2. A division exceeds the bounds only when it is a single component.

import type { FileComponent } from './file-components.ts';
import { byText, fits, itemAt, sum, type PartSize, type SplitBounds } from './source-file.ts';

interface Cluster extends PartSize {
  readonly components: readonly number[];
}

/** `own` are numbers of components, in rising order. */
function divide(
  components: readonly FileComponent[],
  own: readonly number[],
  bounds: SplitBounds,
): readonly (readonly number[])[] {
  if (own.length <= 1 || fits(sum(own.map((component) => itemAt(components, component))), bounds))
    return own.length === 0 ? [] : [own];
  return pack(tieTogether(components, own, bounds), bounds);
}

/** Joins components along imports, the closest ties first, while the result stays within the bounds. */
function tieTogether(
  components: readonly FileComponent[],
  own: readonly number[],
  bounds: SplitBounds,
): readonly Cluster[] {
  const clusters = new Map<number, Cluster>(
    own.map((component) => [
      component,
      {
        components: [component],
        files: itemAt(components, component).files,
        tokens: itemAt(components, component).tokens,
      },
    ]),
  );
  const into = new Map(own.map((component) => [component, component]));
  const rootOf = (component: number): number => {
    let root = component;
    for (let next = into.get(root) ?? root; next !== root; next = into.get(root) ?? root) root = next;
    into.set(component, root);
    return root;
  };
  for (const { from, to } of tiesOf(components, own)) {
    const [one, other] = [rootOf(from), rootOf(to)];
    const [left, right] = [clusters.get(one), clusters.get(other)];
    if (one === other || left === undefined || right === undefined) continue;
    const size = sum([left, right]);
    if (!fits(size, bounds)) continue;
    clusters.set(one, { ...size, components: [...left.components, ...right.components] });
    clusters.delete(other);
    into.set(other, one);
  }
  return [...clusters.values()]
    .map((cluster) => ({ ...cluster, components: cluster.components.toSorted((one, other) => one - other) }))
    .sort((one, other) => itemAt(one.components, 0) - itemAt(other.components, 0));
}

/** An import of a widely imported component ties less than an import of a rarely imported one. */
function tiesOf(
  components: readonly FileComponent[],
  own: readonly number[],
): readonly { readonly from: number; readonly to: number }[] {
  const here = new Set(own);
  const importers = new Map<number, number>();
  const ties = own.flatMap((from) =>
    itemAt(components, from)
      .needs.filter((to) => here.has(to))
      .map((to) => ({ from, to })),
  );
  for (const { to } of ties) importers.set(to, (importers.get(to) ?? 0) + 1);
  const crowd = ({ to }: { readonly to: number }) => importers.get(to) ?? 0;
  return ties.sort((one, other) => crowd(one) - crowd(other) || one.from - other.from || one.to - other.to);
}

/** Fills divisions one after the other, each about as full as the others. */
function pack(clusters: readonly Cluster[], bounds: SplitBounds): readonly (readonly number[])[] {
  const whole = sum(clusters);
  const count = Math.max(Math.ceil(whole.files / bounds.filesMax), Math.ceil(whole.tokens / bounds.tokensMax), 1);
  const target = { files: whole.files / count, tokens: whole.tokens / count };
  const packed: number[][] = [];
  let size: PartSize = { files: 0, tokens: 0 };
  for (const cluster of clusters) {
    const last = packed.at(-1);
    const both = sum([size, cluster]);
    const isFull = size.files >= target.files || size.tokens >= target.tokens;
    if (last === undefined || isFull || !fits(both, bounds)) {
      packed.push([...cluster.components]);
      size = cluster;
    } else {
      last.push(...cluster.components);
      size = both;
    }
  }
  return packed.map((components) => components.sort((one, other) => one - other));
}

interface FolderNode {
  readonly folders: Map<string, FolderNode>;
  /** Components whose innermost common folder this is. */
  readonly components: number[];
}

/** Groups as lists of components, each in rising order. */
export function gatherGroups(
  components: readonly FileComponent[],
  bounds: SplitBounds,
): readonly (readonly number[])[] {
  return groupsIn(foldersOf(components), components, bounds);
}

function foldersOf(components: readonly FileComponent[]): FolderNode {
  const top: FolderNode = { folders: new Map(), components: [] };
  components.forEach((component, index) => {
    let folder = top;
    for (const name of component.folder) {
      const inner = folder.folders.get(name) ?? { folders: new Map(), components: [] };
      folder.folders.set(name, inner);
      folder = inner;
    }
    folder.components.push(index);
  });
  return top;
}

function groupsIn(
  folder: FolderNode,
  components: readonly FileComponent[],
  bounds: SplitBounds,
): readonly (readonly number[])[] {
  const all = allIn(folder);
  if (fits(sum(all.map((component) => itemAt(components, component))), bounds)) return all.length === 0 ? [] : [all];
  const inner = [...folder.folders].sort(([one], [other]) => byText(one, other));
  return [
    ...divide(components, folder.components, bounds),
    ...inner.flatMap(([, each]) => groupsIn(each, components, bounds)),
  ];
}

function allIn(folder: FolderNode): readonly number[] {
  const all: number[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const component of next.components) all.push(component);
    open.push(...next.folders.values());
  }
  return all.sort((one, other) => one - other);
}
