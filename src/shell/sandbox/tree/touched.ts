// Finds the paths that programs have touched in an overlay from its upper folder, without examining every file.
//
// touched/U1. It may name too many paths, never too few: `undefined` when the upper folder alone does not tell.
// touched/U2. No link is followed and only names and times are read; git alone reads the files, inside.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import type { BigIntStats, Dirent } from 'node:fs';
import { join } from 'node:path';

export interface Touched {
  /** Files and links that the template has too, or that were touched before. */
  readonly known: readonly string[];
  /** Files and links that the template does not have, so that git may ignore them. */
  readonly fresh: readonly string[];
  /** Files of the template that are missing, or replaced by something else. */
  readonly gone: readonly string[];
  /**
   * Changes as soon as anything is touched; undefined when the last touch is so recent that the next might not show.
   */
  readonly mark: string | undefined;
}

export interface TouchedRequest {
  readonly upper: string;
  /** The checkout below; git tracks nothing else below. */
  readonly template: string;
  /** Which of these paths exist in the tree, as programs see it. No folder on the way to them is a link. */
  readonly present: (paths: readonly string[]) => Promise<ReadonlySet<string> | undefined>;
  /** Paths that were known to differ before. */
  readonly before: readonly string[];
  /** The mark under which the paths were recorded; undefined when there is none. */
  readonly markBefore: string | undefined;
}

/** With more entries git itself is faster. */
const ENTRIES_MAX = 4_000;
/** Two changes within one tick of the kernel's clock have the same time. */
const TICK_MS = 20;

/** Undefined when it cannot be determined. */
export async function findTouched({
  upper,
  template,
  present,
  before,
  markBefore,
}: TouchedRequest): Promise<Touched | undefined> {
  const walk = startWalk(upper, template);
  const isKnown = walkFolder(walk, { path: '', isBelow: true });
  if (!isKnown) return undefined;
  const mark = markOf(walk);
  // Under the same mark the same paths are missing as before, and those are recorded.
  const isAsBefore = mark !== undefined && mark === markBefore;
  const hidden = isAsBefore ? [] : walk.hidden;
  const there = hidden.length === 0 ? new Set<string>() : await present(hidden);
  if (there === undefined) return undefined;
  for (const path of hidden) if (!there.has(path)) walk.gone.push(...filesBelow(template, path));
  const touched = { ...settle(walk, before), mark };
  const isPlain = [...touched.known, ...touched.fresh, ...touched.gone].every((path) => !DECIDES_ON_OTHERS.test(path));
  // Git's list of ignored paths is read line by line.
  return isPlain && !touched.fresh.some((path) => path.includes('\n')) ? touched : undefined;
}

/** Files that affect how git treats untouched files. */
const DECIDES_ON_OTHERS = /(?:^|\/)\.git(?:ignore|attributes)$/;

interface Walk {
  readonly upper: string;
  readonly template: string;
  readonly known: string[];
  readonly fresh: string[];
  readonly gone: string[];
  readonly folders: Set<string>;
  /** In the template and not in the upper folder: present, unless the folder was replaced as a whole. */
  readonly hidden: string[];
  readonly hash: ReturnType<typeof createHash>;
  readonly seen: { entries: number; latestMs: number };
}

const startWalk = (upper: string, template: string): Walk => ({
  upper,
  template,
  known: [],
  fresh: [],
  gone: [],
  folders: new Set(),
  hidden: [],
  hash: createHash('sha256'),
  seen: { entries: 0, latestMs: 0 },
});

interface Folder {
  readonly path: string;
  /** Whether the template has such a folder. */
  readonly isBelow: boolean;
}

/** False when it cannot be determined. */
function walkFolder(walk: Walk, { path, isBelow }: Folder): boolean {
  const above = namesIn(join(walk.upper, path));
  const below = isBelow ? namesIn(join(walk.template, path)) : [];
  if (above === undefined || below === undefined) return false;
  // A folder that a checkout leaves empty is a submodule's.
  if (isBelow && path !== '' && below.length === 0 && above.length > 0) return false;
  const kinds = new Map(below.map((entry) => [entry.name, entry]));
  for (const entry of above) {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.name === '.git') {
      // Git skips `.git` at the top, and takes any other for a nested repository.
      if (path !== '') return false;
      continue;
    }
    if (!walkEntry(walk, inner, kinds.get(entry.name))) return false;
    kinds.delete(entry.name);
  }
  // The tree as a whole cannot be replaced.
  if (path !== '') for (const name of kinds.keys()) walk.hidden.push(`${path}/${name}`);
  return true;
}

function walkEntry(walk: Walk, path: string, below: Dirent | undefined): boolean {
  const found = lstatSync(join(walk.upper, path), { bigint: true, throwIfNoEntry: false });
  if (found === undefined || !note(walk, path, found)) return false;
  const wasFolder = below?.isDirectory() === true;
  if (found.isDirectory()) {
    walk.folders.add(path);
    if (below !== undefined && !wasFolder) walk.gone.push(path);
    return walkFolder(walk, { path, isBelow: wasFolder });
  }
  const isFile = found.isFile() || found.isSymbolicLink();
  // An overlay marks a deleted file by a character device 0:0.
  const isDeleted = found.isCharacterDevice() && found.rdev === 0n;
  // Git skips pipes and the like, unless it tracks a file of that name.
  if (!isFile && !isDeleted) return below === undefined;
  if (isDeleted || wasFolder) walk.gone.push(...filesBelow(walk.template, path));
  if (isFile) (below === undefined || wasFolder ? walk.fresh : walk.known).push(path);
  return true;
}

/** False when there are too many. */
function note({ hash, seen }: Walk, path: string, found: BigIntStats): boolean {
  const { ino, mode, size, mtimeNs, ctimeNs } = found;
  hash.update(JSON.stringify([path, ...[ino, mode, size, mtimeNs, ctimeNs].map(String)]));
  seen.entries += 1;
  seen.latestMs = Math.max(seen.latestMs, Number(ctimeNs / 1_000_000n));
  return seen.entries <= ENTRIES_MAX;
}

/** Undefined when the folder cannot be read, or has names that are not UTF-8. */
function namesIn(folder: string): readonly Dirent[] | undefined {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.some(({ name }) => name.includes('\uFFFD')) ? undefined : entries;
  } catch {
    return undefined;
  }
}

/** The file itself, or all files and submodules in a folder; none when the path is missing. */
function filesBelow(template: string, path: string): readonly string[] {
  const found = lstatSync(join(template, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  const entries = readdirSync(join(template, path), { withFileTypes: true });
  // A folder that a checkout leaves empty is a submodule's, which the index has under its name.
  if (entries.length === 0) return [path];
  return entries.flatMap((entry) =>
    entry.isDirectory() ? filesBelow(template, `${path}/${entry.name}`) : [`${path}/${entry.name}`],
  );
}

/**
 * Paths that were touched before and are not found are deleted, or equal to the template: git examines them once more.
 */
function settle({ known, fresh, gone, folders }: Walk, before: readonly string[]): Omit<Touched, 'mark'> {
  const files = new Set([...known, ...fresh]);
  const all = new Set([...files, ...gone]);
  const left = before.filter((path) => !all.has(path));
  // Under a path that is now a folder, or below a file that replaced a folder, no such file is left.
  const isCovered = (path: string): boolean =>
    folders.has(path) || foldersAbove(path).some((folder) => files.has(folder));
  return {
    known,
    fresh: [...fresh, ...left.filter((path) => !isCovered(path))],
    gone: [...gone, ...left.filter(isCovered)],
  };
}

function markOf({ hash, seen }: Walk): string | undefined {
  const isRecent = seen.latestMs > Date.now() - TICK_MS;
  return isRecent ? undefined : hash.digest('hex');
}

function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) folders.push(path.slice(0, end));
  return folders;
}

export const isUntouched = ({ known, fresh, gone }: Touched): boolean =>
  known.length + fresh.length + gone.length === 0;
