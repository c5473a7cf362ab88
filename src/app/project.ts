// The location of a project and of Heddle's folder in it.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Refused } from './refusal.ts';

export interface Project {
  /** Where steps work when they have no sandbox of their own. */
  readonly root: string;
  /** The folder of the store and of the workers' files. */
  readonly home: string;
}

const HOME = '.heddle';

/**
 * The nearest folder upwards that has a store or is a repository's; else the current one. In a sandbox it is the
 * project that the sandbox belongs to.
 */
export function findProject(from: string = process.cwd()): Project {
  const folders = foldersUpwards(resolve(from));
  const inside = folders.findLast((folder) => basename(folder) === HOME);
  const outside = inside === undefined ? folders : foldersUpwards(dirname(inside));
  const root =
    outside.find((folder) => existsSync(join(folder, HOME)) || existsSync(join(folder, '.git'))) ?? resolve(from);
  return { root, home: join(root, HOME) };
}

function foldersUpwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpwards(above)];
}

/** Before anything is looked for in it. */
export function mustHaveRoom({ home }: Project): void {
  if (statSync(home, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Refused({ code: 'home-not-a-folder', home });
}

/** Refused at once on a read-only file system; other obstacles are reported by the part that meets them. */
export function mustBeWritable({ root, home }: Project): void {
  const folder = existsSync(home) ? home : root;
  try {
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EROFS')
      throw new Refused({ code: 'read-only-disk', folder }, { cause });
  }
}
