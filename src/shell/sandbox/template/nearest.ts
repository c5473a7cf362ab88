// A template that differs little from the tree that is wanted, so that none has to be built for each merge of needs.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { GitTrouble } from '../../git/run/git-trouble.ts';
import type { Ground } from '../ground.ts';
import { entriesOf } from '../world/files.ts';

/** Beyond so many paths a template of its own is worth its price. */
const PATHS_MAX = 500;
/** So many that were used last are looked at. */
const CANDIDATES_MAX = 4;

export interface Wanted {
  readonly tree: string;
  /** How the names of templates that may stand in for it end. */
  readonly ending: string;
}

export async function nearestTemplate(ground: Ground, { tree, ending }: Wanted): Promise<string | undefined> {
  const names = (await entriesOf(ground.folders.templates)).filter((name) => name.endsWith(`.${ending}`));
  const recent = names
    .map((name) => ({ name, usedAt: usedAt(join(ground.folders.templates, name)) }))
    .sort((one, other) => other.usedAt - one.usedAt)
    .slice(0, CANDIDATES_MAX);
  const distances = await Promise.all(
    recent.map(async ({ name }) => ({ name, paths: await distance(ground, name.slice(0, name.indexOf('.')), tree) })),
  );
  return distances.filter(({ paths }) => paths <= PATHS_MAX).sort((one, other) => one.paths - other.paths)[0]?.name;
}

export const usedAt = (folder: string): number =>
  statSync(join(folder, 'used'), { throwIfNoEntry: false })?.mtimeMs ?? 0;

async function distance(ground: Ground, from: string, to: string): Promise<number> {
  try {
    const changed = await ground.repository.changedPaths(from, to);
    // Attributes decide how files look that are themselves unchanged.
    return changed.some(({ path }) => isAttributes(path)) ? Infinity : changed.length;
  } catch (cause) {
    if (cause instanceof GitTrouble) return Infinity;
    throw cause;
  }
}

const isAttributes = (path: string): boolean => path === '.gitattributes' || path.endsWith('/.gitattributes');
