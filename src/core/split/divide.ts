// Divides the components of one folder when they are too many for one part: first by imports, then by size.
//
// divide/D1. Every component comes back in exactly one division.
// divide/D2. A division exceeds the bounds only when it is a single component.

import type { FileComponent } from './file-components.ts';
import { fits, itemAt, sum } from './source-file.ts';
import type { PartSize, SplitBounds } from './source-file.ts';

interface Cluster extends PartSize {
  readonly components: readonly number[];
}

/** `own` are numbers of components, in rising order. */
export function divide(
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
