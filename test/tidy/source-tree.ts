// The files of the repository as git sees them: tracked, or new and not ignored.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSource } from './source.ts';
import type { Source } from './source.ts';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const isFile = (path: string): boolean =>
  path !== '' && (statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false);

/** Paths from the root, sorted. A tracked file that was deleted in the working tree is left out. */
export function listFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return [...new Set(listed.split('\0'))].filter(isFile).toSorted();
}

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

const isSource = (path: string): boolean => /\.(ts|tsx|js)$/.test(path) && !path.endsWith('.d.ts');

export const readSources = (paths: readonly string[]): readonly Source[] =>
  paths.filter(isSource).map((path) => readSource(path, readText(path)));
