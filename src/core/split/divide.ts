// Divides the atoms of one folder that are too many for one part: first by what imports what, then by size.
//
// D1. Every atom comes back in exactly one division.
// D2. A division exceeds the bounds only when it is a single atom.

import type { Atom } from './atoms.ts';
import { fits, itemAt, sum } from './source-file.ts';
import type { Size, SplitBounds } from './source-file.ts';

interface Cluster extends Size {
  readonly atoms: readonly number[];
}

/** `own` are numbers of atoms, in rising order. */
export function divide(
  atoms: readonly Atom[],
  own: readonly number[],
  bounds: SplitBounds,
): readonly (readonly number[])[] {
  if (own.length <= 1 || fits(sum(own.map((atom) => itemAt(atoms, atom))), bounds))
    return own.length === 0 ? [] : [own];
  return pack(tieTogether(atoms, own, bounds), bounds);
}

/** Joins atoms along imports, the closest ties first, while what comes of it is within the bounds. */
function tieTogether(atoms: readonly Atom[], own: readonly number[], bounds: SplitBounds): readonly Cluster[] {
  const clusters = new Map<number, Cluster>(
    own.map((atom) => [atom, { atoms: [atom], files: itemAt(atoms, atom).files, tokens: itemAt(atoms, atom).tokens }]),
  );
  const into = new Map(own.map((atom) => [atom, atom]));
  const rootOf = (atom: number): number => {
    let root = atom;
    for (let next = into.get(root) ?? root; next !== root; next = into.get(root) ?? root) root = next;
    into.set(atom, root);
    return root;
  };
  for (const { from, to } of tiesOf(atoms, own)) {
    const [one, other] = [rootOf(from), rootOf(to)];
    const [left, right] = [clusters.get(one), clusters.get(other)];
    if (one === other || left === undefined || right === undefined) continue;
    const size = sum([left, right]);
    if (!fits(size, bounds)) continue;
    clusters.set(one, { ...size, atoms: [...left.atoms, ...right.atoms] });
    clusters.delete(other);
    into.set(other, one);
  }
  return [...clusters.values()]
    .map((cluster) => ({ ...cluster, atoms: cluster.atoms.toSorted((one, other) => one - other) }))
    .sort((one, other) => itemAt(one.atoms, 0) - itemAt(other.atoms, 0));
}

/** An import of what everybody imports ties less than one of what hardly anybody does. */
function tiesOf(
  atoms: readonly Atom[],
  own: readonly number[],
): readonly { readonly from: number; readonly to: number }[] {
  const here = new Set(own);
  const importers = new Map<number, number>();
  const ties = own.flatMap((from) =>
    itemAt(atoms, from)
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
  let size: Size = { files: 0, tokens: 0 };
  for (const cluster of clusters) {
    const last = packed.at(-1);
    const both = sum([size, cluster]);
    const isFull = size.files >= target.files || size.tokens >= target.tokens;
    if (last === undefined || isFull || !fits(both, bounds)) {
      packed.push([...cluster.atoms]);
      size = cluster;
    } else {
      last.push(...cluster.atoms);
      size = both;
    }
  }
  return packed.map((atoms) => atoms.sort((one, other) => one - other));
}
