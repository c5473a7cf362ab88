// Layers: files that every sandbox has besides the repository's own, such as what set-up installs. Each is keyed by what
// it is made from, and as immutable as a template.
import { existsSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join, isAbsolute, normalize } from 'node:path';
import type { SandboxContext } from './sandbox-context.ts';
import type { LayerFiles } from './tree.ts';
import { readJsonFile } from '../disk/files.ts';
import type { MaybeFailure } from '../disk/mounts.ts';

export const layerFiles = (context: SandboxContext, name: string): string =>
  join(context.folders.layers, name, 'files');

/** What `layer.json` holds. */
export interface LayerNote {
  /** Paths that the layer brings, folders with a slash at their end. */
  readonly made: readonly string[];
  /** Those of them that git would take for work. */
  readonly excludes: readonly string[];
}

/** Undefined when it is not there whole. */
export async function findLayer(
  context: SandboxContext,
  name: string,
): Promise<(LayerFiles & { readonly made: readonly string[] }) | undefined> {
  const folder = join(context.folders.layers, name);
  const note = readJsonFile(join(folder, 'layer.json'));
  if (!isNote(note) || !existsSync(layerFiles(context, name))) return undefined;
  await utimes(join(folder, 'used'), new Date(), new Date());
  return { name, files: layerFiles(context, name), excludes: note.excludes, made: note.made };
}

function isNote(value: unknown): value is LayerNote {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return ['made', 'excludes'].every((key) => Array.isArray(fields.get(key)));
}

/** A pattern of an exclude file that matches this path and no other. */
export const patternFor = (path: string): string => `/${path.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`)}`;

// Folders of the user's checkout that sandboxes share: a symbolic link each, in the layer that every sandbox stands on.
// Limit: programs that resolve links leave the sandbox with them. When that matters, use `setup` instead.

interface Link {
  readonly path: string;
  readonly target: string;
}

export function linksOf(context: SandboxContext): readonly Link[] {
  return context.settings.link.map((path) => ({ path: plain(path), target: join(context.untracked, plain(path)) }));
}

export const linkTargets = (context: SandboxContext): readonly string[] => linksOf(context).map(({ target }) => target);

const plain = (path: string): string => normalize(path).replace(/\/+$/, '');

/** What is wrong with the plan's links; undefined when nothing is. */
export function linkFailureOf(context: SandboxContext): MaybeFailure {
  const outside = linksOf(context).find(({ path }) => isAbsolute(path) || path === '.' || path.split('/')[0] === '..');
  return outside === undefined ? undefined : { code: 'link-outside', path: outside.path };
}
