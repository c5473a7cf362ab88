// Gathers components into groups by folder: a folder that is small enough with all its contents is one group; otherwise
// each of its folders is handled by itself, and its own files are divided.

import type { FileComponent } from './file-components.ts';
import { divide } from './divide.ts';
import { byText, fits, itemAt, sum } from './source-file.ts';
import type { SplitBounds } from './source-file.ts';

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
