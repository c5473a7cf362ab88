// Whether a commit resolves a written conflict, as far as that can be decided without running anything.
//
// unresolved/U1. A tree that still has markers or the note is not resolved, by an agent or by a person.
// unresolved/U2. An agent may not resolve a conflict by dropping the work of one side. A person may.
import type { ChangedPath } from '../store/changed-path.ts';
import type { Objects } from '../store/objects.ts';
import type { WrittenConflict, WrittenPath } from './write-conflict.ts';
import { hasMarkers } from './markers.ts';

export interface Resolving {
  readonly written: WrittenConflict;
  /** The proposed resolution. */
  readonly commit: string;
  readonly mayDrop: boolean;
}

/** Most paths that one sentence names; more are counted. */
const NAMED_MAX = 10;

/** Reasons why it is not resolved, a sentence each; empty when it is. */
export async function unresolvedIn(objects: Objects, resolving: Resolving): Promise<readonly string[]> {
  const { written, commit, mayDrop } = resolving;
  const changes = new Map((await objects.changedPaths(written.commit, commit)).map((entry) => [entry.path, entry]));
  const left = await leftIn(objects, written, changes);
  if (left.length > 0 || mayDrop) return left;
  const gone = written.paths.filter(
    ({ path, isMarked, ours, theirs }) =>
      isMarked && ours !== undefined && theirs !== undefined && changes.get(path)?.change === 'deleted',
  );
  return [
    ...sentence(gone, (paths) => `${paths} was deleted, though both sides have it: keep what both were to do.`),
    ...(await dropped(objects, written, commit)),
  ];
}

async function leftIn(
  objects: Objects,
  { paths, note, ours, theirs }: WrittenConflict,
  changes: ReadonlyMap<string, ChangedPath>,
): Promise<readonly string[]> {
  const marked: WrittenPath[] = [];
  for (const path of paths)
    if (path.isMarked && (await isStillMarked(objects, path, changes.get(path.path)))) marked.push(path);
  const aside = paths.filter(
    ({ path }) => [ours, theirs].some((side) => path.endsWith(`~${side}`)) && changes.get(path)?.change !== 'deleted',
  );
  const hasNote = note !== undefined && changes.get(note)?.change !== 'deleted';
  return [
    ...sentence(marked, (names) => `There are conflict markers in ${names}.`),
    ...sentence(aside, (names) => `${names} still has the name that git gave it to keep both sides apart.`),
    ...(hasNote ? [`${note} is still there: decide what it lists, then delete it.`] : []),
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
async function dropped(objects: Objects, written: WrittenConflict, commit: string): Promise<readonly string[]> {
  const conflicted = new Set([
    ...written.paths.map(({ path }) => path),
    ...(written.note === undefined ? [] : [written.note]),
  ]);
  const says: string[] = [];
  const sides = [
    { kept: written.ours, whose: 'the other side' },
    { kept: written.theirs, whose: 'this task' },
  ];
  for (const { kept, whose } of sides) {
    const brought = await objects.changedPaths(kept, written.commit);
    const still = new Set((await objects.changedPaths(kept, commit)).map(({ path }) => path));
    const lost = brought.filter(({ path }) => !conflicted.has(path) && !still.has(path));
    if (still.size === 0 && brought.length > 0) says.push(`Nothing of the work of ${whose} is left.`);
    else says.push(...sentence(lost, (names) => `The work of ${whose} in ${names} was dropped.`));
  }
  return says;
}

function sentence(paths: readonly { readonly path: string }[], say: (names: string) => string): readonly string[] {
  if (paths.length === 0) return [];
  const names = paths.slice(0, NAMED_MAX).map(({ path }) => path);
  const more = paths.length > NAMED_MAX ? [`${paths.length - NAMED_MAX} more`] : [];
  return [say([...names, ...more].join(', '))];
}
