// Index of the files of a tree: by path, by the end of a path, by folder, and by declared name.

import { posix } from 'node:path';

export interface TreeIndex {
  readonly has: (path: string) => boolean;
  /** Files directly in a folder. */
  readonly filesIn: (folder: string) => readonly string[];
  /** The file nearest to another file, among the files whose path ends with `end`. */
  readonly endingIn: (end: string, near: string) => string | undefined;
  /** Files that declare a name, such as a class, a package or a module. */
  readonly declaring: (name: string) => readonly string[];
}

export interface Declared {
  readonly path: string;
  readonly declares: readonly string[];
}

/** A name that more files share identifies none of them. */
const SAME_NAME_MAX = 200;

export function indexTree(files: readonly Declared[]): TreeIndex {
  const paths = new Set(files.map(({ path }) => path));
  const byFolder = new Map<string, string[]>();
  const byName = new Map<string, string[]>();
  const byDeclared = new Map<string, string[]>();
  for (const { path, declares } of files) {
    addTo(byFolder, parentFolderOf(path), path);
    addTo(byName, posix.basename(path), path);
    for (const name of declares) addTo(byDeclared, name, path);
  }
  return {
    has: (path) => paths.has(path),
    filesIn: (folder) => byFolder.get(folder) ?? [],
    endingIn: (end, near) => {
      const named = byName.get(posix.basename(end)) ?? [];
      if (named.length > SAME_NAME_MAX) return undefined;
      return nearest(
        named.filter((path) => path === end || path.endsWith(`/${end}`)),
        near,
      );
    },
    declaring: (name) => byDeclared.get(name) ?? [],
  };
}

function addTo(lists: Map<string, string[]>, key: string, item: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The path with the longest common prefix of folders; of several, the first in order. */
function nearest(paths: readonly string[], near: string): string | undefined {
  const own = near.split('/');
  const sharedWith = (path: string): number => {
    const names = path.split('/');
    const end = names.findIndex((name, depth) => name !== own[depth]);
    return end === -1 ? names.length : end;
  };
  let best: { readonly path: string; readonly shared: number } | undefined;
  for (const path of paths.toSorted()) {
    const shared = sharedWith(path);
    if (best === undefined || shared > best.shared) best = { path, shared };
  }
  return best?.path;
}

/** The folder of a file; empty for the root. */
export function parentFolderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end === -1 ? '' : path.slice(0, end);
}

/** A normalised path from a folder; undefined when it leaves the tree. */
export function within(folder: string, path: string): string | undefined {
  const joined = posix.normalize(posix.join(folder === '' ? '.' : folder, path)).replace(/\/$/, '');
  if (joined === '..' || joined.startsWith('../') || joined.startsWith('/')) return undefined;
  return joined === '.' ? '' : joined;
}

/** A folder and its ancestors, the innermost first, the root last. */
export function foldersAround(folder: string): readonly string[] {
  const names = folder === '' ? [] : folder.split('/');
  return names.map((_, depth) => names.slice(0, names.length - depth).join('/')).concat('');
}
