// Ids of parts, made of paths alone.
//
// part-ids/I1. An id is safe as a branch and folder name, and no two siblings have the same, whatever their case.
// part-ids/I2. The id of a part at the root is used nowhere else in the plan, so that a path from the root means one
//   task.
// part-ids/I3. The same paths give the same ids.

import type { Arranged, LeafPlace } from './arrange.ts';
import { itemAt } from './source-file.ts';

export interface NamedPart {
  readonly id: string;
  readonly part: Arranged;
  readonly children: readonly NamedPart[];
}

const ID_LENGTH_MAX = 60;
const RUN_END_LENGTH_MAX = 24;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

export function nameParts(parts: readonly Arranged[], leaves: readonly LeafPlace[]): readonly NamedPart[] {
  const top = nameSiblings(parts, { leaves, around: commonFolder(parts, leaves) });
  const taken = new Set(top.map(({ id }) => id.toLowerCase()));
  return top.map((part) => ({ ...part, children: renamed(part, taken) }));
}

interface PartNaming {
  readonly leaves: readonly LeafPlace[];
  /** The folder that all of them are in, which their ids need not repeat. */
  readonly around: readonly string[];
}

function nameSiblings(parts: readonly Arranged[], naming: PartNaming): readonly NamedPart[] {
  const inner = parts.map((part) =>
    part.type === 'leaf' ? [] : nameSiblings(part.children, { ...naming, around: part.folder }),
  );
  const plain = parts.map((part, at) => plainId(part, itemAt(inner, at), naming));
  const counts = countsOf(plain);
  const longer = parts.map((part, at) =>
    (counts.get(itemAt(plain, at).toLowerCase()) ?? 0) > 1 && part.type === 'leaf'
      ? withStem(itemAt(plain, at), slug(stemOf(part.leaf, naming.leaves)))
      : itemAt(plain, at),
  );
  const used = new Set<string>();
  return parts.map((part, at) => {
    const id = freeId(itemAt(longer, at), used);
    used.add(id.toLowerCase());
    return { id, part, children: itemAt(inner, at) };
  });
}

/** A file with the name of its folder adds no information. */
const withStem = (id: string, stem: string): string =>
  id === stem || id.endsWith(`-${stem}`) ? id : slug(`${id}-${stem}`);

function plainId(part: Arranged, children: readonly NamedPart[], { leaves, around }: PartNaming): string {
  if (part.type === 'leaf') {
    const folder = itemAt(leaves, part.leaf).folder.slice(around.length);
    return folder.length === 0 ? slug(stemOf(part.leaf, leaves)) : slug(folder.join('-'));
  }
  if (!part.isRun) return slug(part.folder.slice(around.length).join('-'));
  const [first, last] = [children[0], children.at(-1)].map((child) => (child?.id ?? '').slice(0, RUN_END_LENGTH_MAX));
  return slug(`${first}-to-${last}`);
}

/** The common folder of all parts. Parts of the root may omit several folders. */
function commonFolder(parts: readonly Arranged[], leaves: readonly LeafPlace[]): readonly string[] {
  const folders = parts.map((part) => (part.type === 'leaf' ? itemAt(leaves, part.leaf).folder : part.folder));
  const [first = [], ...rest] = folders;
  const end = first.findIndex((name, depth) => rest.some((folder) => folder[depth] !== name));
  const common = end === -1 ? first : first.slice(0, end);
  // A single part at the root is named after its folder instead of getting an empty name.
  return parts.length === 1 ? common.slice(0, -1) : common;
}

/** The name of the representative file of a leaf: the outermost, of several the shortest, up to its first dot. */
function stemOf(leaf: number, leaves: readonly LeafPlace[]): string {
  const { paths } = itemAt(leaves, leaf);
  // A part with files of several folders at the root is no more about one of them than about the others.
  const tops = new Set(paths.map((path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')));
  if (itemAt(leaves, leaf).folder.length === 0 && tops.size > 1) return leaves.length > 1 ? 'rest' : 'all';
  const isHidden = (path: readonly string[]): number => (path.at(-1)?.startsWith('.') === true ? 1 : 0);
  const [first] = paths
    .map((path) => path.split('/'))
    .toSorted(
      (one, other) =>
        one.length - other.length ||
        // `gitignore` is what people leave out, and no name for what they put in.
        isHidden(one) - isHidden(other) ||
        one.join('').length - other.join('').length,
    );
  const name = first?.at(-1) ?? '';
  return name.replace(/(?<=[^.])\..*$/, '');
}

function countsOf(ids: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id.toLowerCase(), (counts.get(id.toLowerCase()) ?? 0) + 1);
  return counts;
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** The id itself where it is free and safe, else with a number: people say `core-2`, and no hash. */
function freeId(given: string, taken: ReadonlySet<string>): string {
  const wanted = given === '' ? 'part' : given;
  const isSafe = wanted.length <= ID_LENGTH_MAX && !DEVICE.test(wanted);
  if (isSafe && !taken.has(wanted.toLowerCase())) return wanted;
  for (let number = 2; ; number += 1) {
    const end = `-${number}`;
    const id = `${wanted.slice(0, ID_LENGTH_MAX - end.length)}${end}`;
    if (!taken.has(id.toLowerCase())) return id;
  }
}

/** A child whose id is used at the root gets its parent's id as a prefix. */
function renamed(parent: NamedPart, top: ReadonlySet<string>): readonly NamedPart[] {
  const used = new Set([...top, ...parent.children.map(({ id }) => id.toLowerCase())]);
  return parent.children.map((child) => {
    const id = top.has(child.id.toLowerCase()) ? freeId(`${parent.id}-${child.id}`, used) : child.id;
    used.add(id.toLowerCase());
    return { ...child, id, children: renamed({ ...child, id }, top) };
  });
}
