// The changed paths of a branch, as far as they can overlap with the paths of another.
import { isEntry, readChangedPath } from '../store/changed-path.ts';
import type { ChangedPath } from '../store/changed-path.ts';
import { partsOf } from '../run/git.ts';
import type { Git } from '../run/git.ts';

export interface ChangedPaths {
  readonly name: string;
  readonly tip: string;
  readonly changed: ReadonlyMap<string, ChangedPath>;
  /** Folders whose files were all moved or deleted while files were added elsewhere: git may treat them as renamed. */
  readonly vacated: ReadonlySet<string>;
}

export interface Branch {
  /** The task's id, or another name that the caller chooses. */
  readonly name: string;
  readonly tip: string;
}

/** Starts two processes, for any number of branches. */
export async function changedPathsOf(
  git: Git,
  base: string,
  branches: readonly Branch[],
): Promise<readonly ChangedPaths[]> {
  const tips = [...new Set(branches.map(({ tip }) => tip))];
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--full-index', '--always'];
  const output = await git.must(args, { input: tips.map((tip) => `${tip} ${base}\n`).join('') });
  const byTip = readChanges(partsOf(output));
  const vacatedBy = await vacatedFolders(git, byTip);
  return branches.map(({ name, tip }) => ({
    name,
    tip,
    changed: new Map((byTip.get(tip) ?? []).map((changed) => [changed.path, changed])),
    vacated: vacatedBy.get(tip) ?? new Set(),
  }));
}

/** Each tip, then its entries with their paths. */
function readChanges(parts: readonly string[]): ReadonlyMap<string, readonly ChangedPath[]> {
  const byTip = new Map<string, ChangedPath[]>();
  let current: ChangedPath[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    if (isEntry(part)) {
      at += 1;
      current.push(readChangedPath(part, parts[at] ?? ''));
    } else {
      current = [];
      byTip.set(part, current);
    }
  }
  return byTip;
}

/** All folders above a path, the nearest first, without the root. */
export function* parentFoldersOf(path: string): Generator<string> {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) yield path.slice(0, end);
}

type Vacated = ReadonlyMap<string, ReadonlySet<string>>;

async function vacatedFolders(git: Git, byTip: ReadonlyMap<string, readonly ChangedPath[]>): Promise<Vacated> {
  const asked = [...byTip].flatMap(([tip, changed]) => suspects(changed).map((folder) => ({ tip, folder })));
  // A name with a line break cannot be passed to git this way, so it counts as vacated.
  const askable = asked.filter(({ folder }) => !folder.includes('\n'));
  const input = askable.map(({ tip, folder }) => `${tip}:${folder}\n`).join('');
  const lines = askable.length === 0 ? '' : await git.line(['cat-file', '--batch-check=there'], { input });
  const isThere = lines.split('\n').map((line) => line === 'there');
  const present = new Set(askable.filter((_, index) => isThere[index] === true));
  const vacated = new Map<string, Set<string>>();
  for (const one of asked) {
    if (present.has(one)) continue;
    const folders = vacated.get(one.tip) ?? new Set();
    vacated.set(one.tip, folders.add(one.folder));
  }
  return vacated;
}

function suspects(changed: readonly ChangedPath[]): readonly string[] {
  if (!changed.some(({ change }) => change === 'added')) return [];
  const deleted = changed.filter(({ change }) => change === 'deleted');
  return [...new Set(deleted.flatMap(({ path }) => [...parentFoldersOf(path)]))];
}
