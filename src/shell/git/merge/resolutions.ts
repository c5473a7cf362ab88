// Remembers resolutions of conflicts by the conflicting contents, so that the same conflict is resolved once.
//
// resolutions/M1. A resolution is keyed by the three blob ids alone; which side was ours does not matter. The latest
//     counts.
// resolutions/M2. A file that still has conflict markers is never remembered.
// resolutions/M3. A resolution is written whole or not at all, and is on the disk before it counts as remembered.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile, rm } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import type { TakeRule } from '../../../core/plan/plan.ts';
import type { Git } from '../run/git.ts';
import { asideOf } from '../store/leftovers.ts';
import type { Objects } from '../store/objects.ts';
import type { ConflictPath } from './merge-outcome.ts';
import type { MergePrinted, ConflictStage } from './read-merge-tree.ts';
import { indexEntryOf, removalOf, replaceIn } from './write-conflict.ts';

export interface Resolutions {
  readonly remember: (paths: readonly ConflictPath[], commit: string) => Promise<readonly string[]>;
  /** The merged tree, when a rule or a remembered resolution settles every path of the conflict; else undefined. */
  readonly settle: (printed: MergePrinted, by: SettledBy) => Promise<Settled | undefined>;
}

export interface SettledBy {
  readonly usesResolutions: boolean;
  readonly take: readonly TakeRule[];
}

export interface Settled {
  readonly tree: string;
  /** Paths that a remembered resolution settled. */
  readonly resolved: readonly string[];
}

interface World {
  readonly git: Git;
  readonly objects: Objects;
  readonly folder: string;
}

/** Kinds of conflict that concern the content of one file only. */
const KINDS = new Set(['contents', 'add/add', 'content', 'binary', 'modify/delete']);
const MARKERS = /^<{7} [^]*^>{7} /m;

export function resolutionsIn(world: World): Resolutions {
  return {
    remember: async (paths, commit) => {
      const remembered: string[] = [];
      for (const path of paths) if (await rememberOne(world, path, commit)) remembered.push(path.path);
      return remembered;
    },
    settle: async (printed, by) => settle(world, printed, by),
  };
}

interface Sides {
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

const keyOf = ({ base, ours, theirs }: Sides): string =>
  [base ?? 'none', ...[ours ?? 'none', theirs ?? 'none'].sort()].join('-');

/** The first bytes of a resolution on the disk; the content of the file follows, if there is one. */
const KEPT = Buffer.from('kept\n');
const DELETED = Buffer.from('deleted\n');

async function rememberOne(world: World, conflict: ConflictPath, commit: string): Promise<boolean> {
  const { base, ours, theirs, kind } = conflict;
  const isOfOneSide = ours === undefined || theirs === undefined;
  if (!KINDS.has(kind) || isOfOneSide !== (kind === 'modify/delete')) return false;
  const resolution = await resolutionIn(world, conflict, commit);
  if (resolution === undefined) return false;
  await mkdir(world.folder, { recursive: true });
  const file = join(world.folder, keyOf({ base, ours, theirs }));
  const aside = asideOf(file);
  await writeFile(aside, resolution, { flush: true });
  await rename(aside, file);
  return true;
}

async function resolutionIn(
  { git, objects }: World,
  { path, kind }: ConflictPath,
  commit: string,
): Promise<Buffer | undefined> {
  const found = await git.ask(['rev-parse', '--quiet', '--verify', '--end-of-options', `${commit}:${path}`]);
  if (found.code !== 0) return kind === 'modify/delete' ? DELETED : undefined;
  const content = await objects.contentOf(found.output.toString('utf8').trim());
  return MARKERS.test(content.toString('latin1')) ? undefined : Buffer.concat([KEPT, content]);
}

async function settle(
  world: World,
  { tree, stages, remarks }: MergePrinted,
  { usesResolutions, take }: SettledBy,
): Promise<Settled | undefined> {
  if (!usesResolutions && take.length === 0) return undefined;
  const conflicts = remarks.filter(({ type }) => type.startsWith('CONFLICT'));
  const areOfFiles = conflicts.every(({ type }) => KINDS.has(/\((.*)\)/.exec(type)?.[1] ?? ''));
  const paths = [...new Set(stages.map(({ path }) => path))];
  if (!areOfFiles || paths.length === 0) return undefined;
  const entries: string[] = [];
  const resolved: string[] = [];
  for (const path of paths) {
    const ofPath = stages.filter((stage) => stage.path === path);
    const taken = await takeSide(world, ofPath, take);
    const entry = taken ?? (usesResolutions ? await entryFor(world, ofPath) : undefined);
    if (entry === undefined) return undefined;
    entries.push(entry);
    if (taken === undefined) resolved.push(path);
  }
  return { tree: await replaceIn(world.git, tree, entries), resolved };
}

/** A line for the index, when this path is remembered and all sides agree on the file mode. */
async function entryFor({ objects, folder }: World, stages: readonly ConflictStage[]): Promise<string | undefined> {
  const blob = (side: number): string | undefined => stages.find((stage) => stage.side === side)?.blob;
  const [base, ours, theirs] = [blob(1), blob(2), blob(3)];
  const modes = new Set(stages.map(({ mode }) => mode));
  const [mode = '', ...others] = modes;
  const some = ours ?? theirs;
  if (some === undefined || others.length > 0 || !mode.startsWith('100')) return undefined;
  const file = join(folder, keyOf({ base, ours, theirs }));
  const path = stages[0]?.path ?? '';
  if (!existsSync(file)) return undefined;
  const resolution = await readFile(file);
  if (resolution.equals(DELETED)) return removalOf(some, path);
  if (!resolution.subarray(0, KEPT.length).equals(KEPT)) return undefined;
  return indexEntryOf(mode, await objects.writeBlob(resolution.subarray(KEPT.length)), path);
}

/**
 * Settles a conflicting file by the rule that the plan has for it: one side as it is, or the lines of both. A line for
 * `replaceIn`; undefined when no rule is for this file, or both sides cannot be in one file.
 */
async function takeSide(
  world: Omit<World, 'folder'>,
  stages: readonly ConflictStage[],
  take: readonly TakeRule[],
): Promise<string | undefined> {
  const path = stages[0]?.path ?? '';
  const rule = take.find(({ files }) => isOf(files, path));
  if (rule === undefined) return undefined;
  const [base, ours, theirs] = [1, 2, 3].map((side) => stages.find((stage) => stage.side === side));
  const some = ours ?? theirs ?? base;
  if (some === undefined) return undefined;
  switch (rule.side) {
    case 'task':
      return theirs === undefined ? removalOf(some.blob, path) : indexEntryOf(theirs.mode, theirs.blob, path);
    case 'run':
      return ours === undefined ? removalOf(some.blob, path) : indexEntryOf(ours.mode, ours.blob, path);
    case 'union':
      return ours === undefined || theirs === undefined
        ? indexEntryOf(some.mode, some.blob, path)
        : unionOf(world, { path, base, ours, theirs });
  }
}

/** A plain path is the file and everything below it, as in the plan's `files`. */
function isOf(files: string, path: string): boolean {
  const plain = files.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  return path === plain || path.startsWith(`${plain}/`) || matchesGlob(path, plain);
}

interface TwoSides {
  readonly path: string;
  readonly base: ConflictStage | undefined;
  readonly ours: ConflictStage;
  readonly theirs: ConflictStage;
}

/** Git takes the lines of both sides only for text of the same mode, and only from files. */
async function unionOf(
  { git, objects }: Omit<World, 'folder'>,
  { path, base, ours, theirs }: TwoSides,
): Promise<string | undefined> {
  if (ours.mode !== theirs.mode || !ours.mode.startsWith('100')) return undefined;
  const folder = asideOf(join(git.gitDir, 'union'));
  try {
    await mkdir(folder);
    const contents = [ours.blob, base?.blob, theirs.blob].map(async (blob, at) => {
      const file = join(folder, String(at));
      await writeFile(file, blob === undefined ? '' : await objects.contentOf(blob));
      return file;
    });
    const merged = await git.ask(['merge-file', '-p', '--union', ...(await Promise.all(contents))]);
    return merged.code === 0 ? indexEntryOf(ours.mode, await objects.writeBlob(merged.output), path) : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
