// Whether a commit resolves a written conflict, as far as that can be decided without running anything.
//
// unresolved/U1. A tree that still has markers or the note is not resolved, by an agent or by a person.
// unresolved/U2. An agent may not resolve a conflict by dropping the work of one side. A person may.
import type { Unresolved } from '../../../core/protocol/sandbox-failure.ts';
import type { ChangedPath } from '../store/changed-path.ts';
import type { Objects } from '../store/objects.ts';
import { hasMarkers, type WrittenConflict, type WrittenPath } from './write-conflict.ts';

export interface ProposedResolution {
  readonly written: WrittenConflict;
  /** The proposed resolution. */
  readonly commit: string;
  readonly mayDrop: boolean;
}

/** Empty when it is resolved. */
export async function unresolvedIn(objects: Objects, resolving: ProposedResolution): Promise<readonly Unresolved[]> {
  const { written, commit, mayDrop } = resolving;
  const changes = new Map((await objects.changedPaths(written.commit, commit)).map((entry) => [entry.path, entry]));
  const left = await leftIn(objects, written, changes);
  if (left.length > 0 || mayDrop) return left;
  const gone = written.paths.filter(
    ({ path, isMarked, ours, theirs }) =>
      isMarked && ours !== undefined && theirs !== undefined && changes.get(path)?.change === 'deleted',
  );
  return [...about('deleted', gone), ...(await dropped(objects, written, commit))];
}

async function leftIn(
  objects: Objects,
  { paths, note, ours, theirs }: WrittenConflict,
  changes: ReadonlyMap<string, ChangedPath>,
): Promise<readonly Unresolved[]> {
  const marked: WrittenPath[] = [];
  for (const path of paths)
    if (path.isMarked && (await isStillMarked(objects, path, changes.get(path.path)))) marked.push(path);
  const aside = paths.filter(
    ({ path }) => [ours, theirs].some((side) => path.endsWith(`~${side}`)) && changes.get(path)?.change !== 'deleted',
  );
  const hasNote = note !== undefined && changes.get(note)?.change !== 'deleted';
  return [
    ...about('markers', marked),
    ...about('side-names', aside),
    ...(hasNote ? [{ code: 'note', note } as const] : []),
  ];
}

async function isStillMarked(
  objects: Objects,
  { ours, theirs }: WrittenPath,
  entry: ChangedPath | undefined,
): Promise<boolean> {
  if (entry === undefined) return true;
  if (entry.blobTo === undefined || !entry.modeTo.startsWith('100')) return entry.blobTo === entry.blobFrom;
  const sides = [ours, theirs].flatMap((blob) => blob ?? []);
  const contents = await Promise.all(sides.map(async (blob) => objects.contentOf(blob)));
  return hasMarkers(await objects.contentOf(entry.blobTo), contents);
}

/** Paths that only one side had changed, and whose change is undone. */
async function dropped(objects: Objects, written: WrittenConflict, commit: string): Promise<readonly Unresolved[]> {
  const conflicted = new Set([
    ...written.paths.map(({ path }) => path),
    ...(written.note === undefined ? [] : [written.note]),
  ]);
  const found: Unresolved[] = [];
  const sides = [
    { kept: written.ours, side: 'theirs' },
    { kept: written.theirs, side: 'ours' },
  ] as const;
  for (const { kept, side } of sides) {
    const brought = await objects.changedPaths(kept, written.commit);
    const still = new Set((await objects.changedPaths(kept, commit)).map(({ path }) => path));
    const lost = brought.filter(({ path }) => !conflicted.has(path) && !still.has(path));
    if (still.size === 0 && brought.length > 0) found.push({ code: 'nothing-left', side });
    else if (lost.length > 0) found.push({ code: 'dropped', side, paths: lost.map(({ path }) => path) });
  }
  return found;
}

const about = (
  code: 'markers' | 'side-names' | 'deleted',
  found: readonly { readonly path: string }[],
): readonly Unresolved[] => (found.length === 0 ? [] : [{ code, paths: found.map(({ path }) => path) }]);
