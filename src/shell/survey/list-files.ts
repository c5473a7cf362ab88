// The files to split: in a repository the files that git would track, elsewhere all files.

import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { SurveyRefusal } from '../../core/protocol/survey-refusal.ts';
import { captureNow } from '../exec/capture-now.ts';

export type FilesListed =
  | {
      readonly type: 'listed';
      /** The folder that paths are relative to: the repository's, else the named or current folder. */
      readonly root: string;
      readonly paths: readonly string[];
      /** Files named explicitly, not found in a folder. */
      readonly named: ReadonlySet<string>;
    }
  | { readonly type: 'refused'; readonly refusal: SurveyRefusal };

/** P11: with more files the plan would be too large to run. */
export const FILES_MAX = 200_000;
const LISTING_BYTES_MAX = 512 * 1024 * 1024;
const LISTING_MS_MAX = 600_000;
const NEVER = new Set(['.git', '.hg', '.svn', '.heddle', 'node_modules']);

export function listFiles(places: readonly string[], cwd: string): FilesListed {
  const found: string[] = [];
  for (const place of places) {
    const stands = standing(resolve(cwd, place));
    if (stands === undefined) return refused({ code: 'place-missing', place });
    found.push(stands);
  }
  const folder = folderAt(found[0] ?? cwd);
  const repository = repositoryOf(folder);
  // Without git the ignored files are unknown, and all of them would count as source files.
  if (repository === undefined && isInRepository(folder)) return refused({ code: 'repository-unreadable', folder });
  const listed = repository === undefined ? walk(found, realpathSync(cwd)) : listTracked(repository, found);
  if (listed.type === 'refused' || listed.paths.length <= FILES_MAX) return listed;
  return refused({ code: 'too-many-files', files: listed.paths.length, filesMax: FILES_MAX });
}

const refused = (refusal: SurveyRefusal): FilesListed => ({ type: 'refused', refusal });

function standing(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Missing or unreadable: the same to the survey.
    return undefined;
  }
}

/** The environment without the variables that would point git at another repository. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
}

function git(cwd: string, words: readonly string[]): string | undefined {
  const { code, stdout } = captureNow(['git', '-c', 'core.fsmonitor=false', ...words], {
    cwd,
    environment: environment(),
    timeoutMs: LISTING_MS_MAX,
    keptBytesMax: LISTING_BYTES_MAX,
  });
  return code === 0 ? stdout : undefined;
}

const folderAt = (place: string): string => (statSync(place).isDirectory() ? place : dirname(place));

function isInRepository(folder: string): boolean {
  return existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isInRepository(dirname(folder)));
}

function repositoryOf(folder: string): string | undefined {
  const top = git(folder, ['rev-parse', '--show-toplevel'])?.replace(/\n$/, '');
  return top === undefined || top === '' ? undefined : realpathSync(top);
}

function listTracked(root: string, places: readonly string[]): FilesListed {
  const inside = places.map((place) => slashed(relative(root, place)));
  const outside = places.find((_, at) => inside[at]?.split('/')[0] === '..');
  if (outside !== undefined) return refused({ code: 'outside-repository', place: outside, repository: root });
  const paths = inside.map((path) => `:(top,literal)${path}`);
  const out = git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths]);
  if (out === undefined) return refused({ code: 'repository-unreadable', folder: root });
  const all = out.split('\0').filter((path) => path !== '' && !path.startsWith('.heddle/'));
  return { type: 'listed', root, paths: [...new Set(all)].sort(), named: new Set(inside) };
}

function walk(places: readonly string[], cwd: string): FilesListed {
  const isInside = places.every((place) => place === cwd || place.startsWith(`${cwd}${sep}`));
  const [first = cwd] = places;
  if (!isInside && places.length > 1) return refused({ code: 'several-places-outside' });
  const root = isInside ? cwd : first;
  const paths = new Set<string>();
  const open = [...places];
  for (let place = open.pop(); place !== undefined && paths.size <= FILES_MAX; place = open.pop()) {
    if (statSync(place).isFile()) paths.add(slashed(relative(root, place)));
    else for (const entry of entriesOf(place)) addEntry({ place, entry, root, paths, open });
  }
  const named = new Set(places.map((place) => slashed(relative(root, place))));
  return { type: 'listed', root, paths: [...paths].sort(), named };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // An unreadable folder contains nothing to work on.
    return [];
  }
}

interface Walked {
  readonly place: string;
  readonly entry: ReturnType<typeof entriesOf>[number];
  readonly root: string;
  readonly paths: Set<string>;
  readonly open: string[];
}

function addEntry({ place, entry, root, paths, open }: Walked): void {
  if (NEVER.has(entry.name)) return;
  const path = join(place, entry.name);
  if (entry.isDirectory()) open.push(path);
  if (entry.isFile()) paths.add(slashed(relative(root, path)));
}

const slashed = (path: string): string => path.split(sep).join('/');
