// Writes both sides of a conflict into one tree, to be resolved there.
//
// write-conflict/L1. The result is a function of the two commits alone: written again, it is the same commit.
// write-conflict/L2. Every conflict leaves something to do. Where git can write no markers, because the conflict is not
//     about lines of a text, a note in the tree describes it. The resolver deletes the note after all decisions.
import type { GitFailed } from '../run/git-error.ts';
import type { Git } from '../run/git.ts';
import type { ChangedPath } from '../store/changed-path.ts';
import type { Objects } from '../store/objects.ts';
import type { ConflictPath } from './merge-outcome.ts';
import { conflictOf, type MergePrinted } from './read-merge-tree.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asideOf } from '../store/leftovers.ts';

export interface Sides {
  /** The commit to adapt. */
  readonly ours: string;
  /** The commit that it conflicts with. */
  readonly theirs: string;
}

export interface WrittenConflict extends Sides {
  readonly type: 'written';
  /** A commit of both sides with conflicts in its files; it is never part of a history. */
  readonly commit: string;
  readonly paths: readonly WrittenPath[];
  /** The path of the note, when there is one. */
  readonly note: string | undefined;
}

export interface WrittenPath extends ConflictPath {
  /** Whether the file has markers; otherwise the note describes the conflict. */
  readonly isMarked: boolean;
}

export type WriteOutcome = WrittenConflict | GitFailed;

export interface ConflictWriter {
  readonly git: Git;
  readonly objects: Objects;
}

export async function writeConflict(
  world: ConflictWriter,
  { ours, theirs }: Sides,
  printed: MergePrinted,
): Promise<WrittenConflict> {
  const { objects } = world;
  const brought = await objects.changedPaths(ours, printed.tree);
  const byPath = new Map(brought.map((entry) => [entry.path, entry]));
  const paths: WrittenPath[] = [];
  for (const path of conflictOf(printed).paths)
    paths.push({ ...path, isMarked: await isMarked(objects, path, byPath.get(path.path)) });
  const unmarked = paths.filter((path) => !path.isMarked);
  const note = unmarked.length === 0 ? undefined : await freeName(world, [ours, theirs]);
  const tree =
    note === undefined
      ? printed.tree
      : await withNote(world, printed, { note, text: textOf({ ours, theirs }, printed, unmarked) });
  const commit = await objects.commitTree({
    tree,
    parents: [ours, theirs],
    message: 'Both sides of a conflict',
    at: 0,
  });
  return { type: 'written', commit, ours, theirs, paths, note };
}

async function isMarked(objects: Objects, path: ConflictPath, entry: ChangedPath | undefined): Promise<boolean> {
  const isFile = entry?.modeTo.startsWith('100') ?? false;
  if (!isFile || entry?.blobTo === undefined) return false;
  const sides = [path.ours, path.theirs].flatMap((blob) => blob ?? []);
  const contents = await Promise.all(sides.map(async (blob) => objects.contentOf(blob)));
  return hasMarkers(await objects.contentOf(entry.blobTo), contents);
}

const NOTE = 'HEDDLE-CONFLICTS';

async function freeName({ git }: ConflictWriter, commits: readonly string[]): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? `${NOTE}.md` : `${NOTE}-${count}.md`;
    const found = await Promise.all(commits.map(async (commit) => git.ask(['cat-file', '-e', `${commit}:${name}`])));
    if (found.every(({ code }) => code !== 0)) return name;
  }
}

async function withNote(
  { git, objects }: ConflictWriter,
  { tree }: MergePrinted,
  { note, text }: { readonly note: string; readonly text: string },
): Promise<string> {
  return replaceIn(git, tree, [indexEntryOf('100644', await objects.writeBlob(Buffer.from(text)), note)]);
}

function textOf(sides: Sides, { remarks }: MergePrinted, paths: readonly ConflictPath[]): string {
  const conflicts = remarks.filter(({ type }) => type.startsWith('CONFLICT'));
  const parts = paths.map((path) => {
    const said = conflicts.filter((remark) => remark.paths.includes(path.path)).map(({ says }) => inWords(sides, says));
    return [`## ${path.path}`, ...said, waysOf(path)].join('\n\n');
  });
  return [
    '# What does not fit together',
    'These conflicts are not about lines of a text, so there are no markers for them. Decide each, make the files what\nthey shall be, and then delete this file: as long as it is there, nothing counts as resolved.',
    `This task's side is the commit ${sides.ours}, the other side is ${sides.theirs}.`,
    ...parts,
    '',
  ].join('\n\n');
}

/** Git names both sides by their ids, since that is how they were given to it. */
const inWords = ({ ours, theirs }: Sides, says: string): string =>
  says
    .replace(/^CONFLICT /, '')
    .replaceAll(new RegExp(`(?<!~)${ours}`, 'g'), "this task's side")
    .replaceAll(new RegExp(`(?<!~)${theirs}`, 'g'), 'the other side');

function waysOf({ base, ours, theirs }: ConflictPath): string {
  const way = (name: string, blob: string | undefined): string =>
    blob === undefined ? `- ${name}: not there` : `- ${name}: \`git cat-file -p ${blob}\``;
  return [way('where both began', base), way("this task's side", ours), way('the other side', theirs)].join('\n');
}

const FENCE = /^(?:<{7,}|>{7,}|\|{7,})(?: |$)/;
const MIDDLE = /^={7,}$/;

const linesOf = (content: Buffer): readonly string[] => content.toString('latin1').split(/\r?\n/);

/**
 * Whether a text has lines that look like conflict markers and come from neither side. A side may have such lines of
 * its own: the middle marker is also an underline of headings.
 */
export function hasMarkers(content: Buffer, sides: readonly Buffer[]): boolean {
  const lines = linesOf(content);
  const theirs = sides.flatMap(linesOf);
  const known = new Set(theirs);
  const middles = (all: readonly string[]): number => all.filter((line) => MIDDLE.test(line)).length;
  return lines.some((line) => FENCE.test(line) && !known.has(line)) || middles(lines) > middles(theirs);
}

// Replaces files of a tree, without a checkout.

/** A line for `replaceIn`. */
export const indexEntryOf = (mode: string, blob: string, path: string): string => `${mode} ${blob} 0\t${path}\0`;
/** The same for a path to remove; the blob only gives the length of ids. */
export const removalOf = (blob: string, path: string): string => `0 ${'0'.repeat(blob.length)} 0\t${path}\0`;

/** Uses a temporary index of its own. */
export async function replaceIn(git: Git, tree: string, entries: readonly string[]): Promise<string> {
  const environment = { GIT_INDEX_FILE: asideOf(join(git.gitDir, 'settling')) };
  try {
    await git.must(['read-tree', tree], { environment });
    await git.must(['update-index', '-z', '--index-info'], { environment, input: entries.join('') });
    return await git.line(['write-tree'], { environment });
  } finally {
    await rm(environment.GIT_INDEX_FILE, { force: true });
  }
}
