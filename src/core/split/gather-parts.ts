// Gathers atoms into groups by folder: a folder that is small enough with all below it is one group, else each of its
// folders is looked at by itself, and its own files are divided.

import type { Atom } from './atoms.ts';
import { divide } from './divide.ts';
import { byText, fits, itemAt, sum } from './source-file.ts';
import type { SplitBounds } from './source-file.ts';

interface Folder {
  readonly folders: Map<string, Folder>;
  /** Atoms whose innermost common folder this is. */
  readonly atoms: number[];
}

/** Groups as lists of atoms, each in rising order. */
export function gather(atoms: readonly Atom[], bounds: SplitBounds): readonly (readonly number[])[] {
  return groupsIn(foldersOf(atoms), atoms, bounds);
}

function foldersOf(atoms: readonly Atom[]): Folder {
  const top: Folder = { folders: new Map(), atoms: [] };
  atoms.forEach((atom, index) => {
    let folder = top;
    for (const name of atom.folder) {
      const inner = folder.folders.get(name) ?? { folders: new Map(), atoms: [] };
      folder.folders.set(name, inner);
      folder = inner;
    }
    folder.atoms.push(index);
  });
  return top;
}

function groupsIn(folder: Folder, atoms: readonly Atom[], bounds: SplitBounds): readonly (readonly number[])[] {
  const all = allIn(folder);
  if (fits(sum(all.map((atom) => itemAt(atoms, atom))), bounds)) return all.length === 0 ? [] : [all];
  const inner = [...folder.folders].sort(([one], [other]) => byText(one, other));
  return [...divide(atoms, folder.atoms, bounds), ...inner.flatMap(([, each]) => groupsIn(each, atoms, bounds))];
}

function allIn(folder: Folder): readonly number[] {
  const all: number[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const atom of next.atoms) all.push(atom);
    open.push(...next.folders.values());
  }
  return all.sort((one, other) => one - other);
}
