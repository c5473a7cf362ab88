// Where a project is, and where Heddle keeps what belongs to it.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface Project {
  /** Where steps work when they have no sandbox of their own. */
  readonly root: string;
  /** The folder of the store and of what workers leave. */
  readonly home: string;
}

const HOME = '.heddle';

/** The nearest folder upwards that has a store or is a repository's; else the one we stand in. */
export function findProject(from: string = process.cwd()): Project {
  const folders = foldersUpwards(resolve(from));
  const root =
    folders.find((folder) => existsSync(join(folder, HOME)) || existsSync(join(folder, '.git'))) ?? resolve(from);
  return { root, home: join(root, HOME) };
}

function foldersUpwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpwards(above)];
}
