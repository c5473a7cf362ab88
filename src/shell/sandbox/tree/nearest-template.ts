// Finds a template that differs little from the wanted tree, so that not every merge of needs requires a new one.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../git/run/git-error.ts';
import type { ChangedPath } from '../../git/store/changed-path.ts';
import type { SandboxContext } from './sandbox-context.ts';
import { entriesOf } from '../disk/files.ts';

/** With more differing paths a new template is worth its cost. */
const PATHS_MAX = 500;
/** Number of recently used templates that are considered. */
const CANDIDATES_MAX = 4;

export interface WantedTemplate {
  readonly tree: string;
  /** Suffix of the names of suitable templates. */
  readonly ending: string;
}

export interface Near {
  readonly name: string;
  /** Differences between the wanted tree and the template. */
  readonly changed: readonly ChangedPath[];
}

export async function nearestTemplate(
  context: SandboxContext,
  { tree, ending }: WantedTemplate,
): Promise<Near | undefined> {
  const names = (await entriesOf(context.folders.templates)).filter((name) => name.endsWith(`.${ending}`));
  const recent = names
    .map((name) => ({ name, usedAt: usedAt(join(context.folders.templates, name)) }))
    .sort((one, other) => other.usedAt - one.usedAt)
    .slice(0, CANDIDATES_MAX);
  const near = await Promise.all(
    recent.map(async ({ name }) => ({
      name,
      changed: await difference(context, name.slice(0, name.indexOf('.')), tree),
    })),
  );
  return near
    .flatMap(({ name, changed }) => (changed === undefined ? [] : [{ name, changed }]))
    .sort((one, other) => one.changed.length - other.changed.length)[0];
}

export const usedAt = (folder: string): number =>
  statSync(join(folder, 'used'), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Undefined when the difference is too large. */
async function difference(
  context: SandboxContext,
  from: string,
  to: string,
): Promise<readonly ChangedPath[] | undefined> {
  try {
    const changed = await context.repository.changedPaths(from, to);
    const isFar = changed.length > PATHS_MAX || changed.some(({ path }) => isAttributes(path) || isNoText(path));
    return isFar ? undefined : changed;
  } catch (cause) {
    if (cause instanceof GitError) return undefined;
    throw cause;
  }
}

/** A name that is not UTF-8 cannot be represented here; git handles it. */
const isNoText = (path: string): boolean => path.includes('\uFFFD');

/** Attributes affect files that are themselves unchanged. */
const isAttributes = (path: string): boolean => path === '.gitattributes' || path.endsWith('/.gitattributes');
