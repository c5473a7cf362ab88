// Brings commits out of a sandbox: only objects cross, and only such as do no harm.
//
// C1. Nothing of the sandbox is run or read here but the pack that its upload-pack sends, and every object in it is
//     checked before it is kept.
// C2. What came waits under `refs/incoming/` and moves to its target only when all of it was found harmless.
// C3. A target that holds other work is not overwritten (P4).
import { troubleAsValue } from '../run/git-trouble.ts';
import type { Git } from '../run/git.ts';
import type { Objects } from '../store/objects.ts';
import { DURABLE, readRef, swapRef } from '../store/refs.ts';
import { harmIn } from './harm.ts';

export interface ImportOrder {
  /** The private git directory, as the program that `uploadPack` starts sees it. */
  readonly gitDir: string;
  readonly refs: readonly { readonly source: string; readonly target: string }[];
  /** What the work started from: what it adds to this is looked at. */
  readonly base: string;
  /** Starts `git-upload-pack`, inside the isolation where there is one; the git directory is appended as last argument. */
  readonly uploadPack: readonly string[];
}

export type Imported =
  /** In the order of `refs`. */
  | { readonly type: 'imported'; readonly commits: readonly string[] }
  /** What came may not be taken; no target was moved. `message` says why and what to do. */
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };

interface World {
  readonly git: Git;
  readonly objects: Objects;
}

export const importFrom = async (world: World, order: ImportOrder): Promise<Imported> =>
  troubleAsValue(async () => fetchAndMove(world, order));

async function fetchAndMove(
  { git, objects }: World,
  { gitDir, refs, base, uploadPack }: ImportOrder,
): Promise<Imported> {
  const specs = refs.map(({ source, target }) => `+${source}:${incoming(target)}`);
  const command = uploadPack.map(quoted).join(' ');
  const args = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--update-shallow',
    `--upload-pack=${command}`,
    '--end-of-options',
    gitDir,
    ...specs,
  ];
  const fetched = await git.ask(args, { settings: [...DURABLE, 'transfer.fsckObjects=true'] });
  if (fetched.code !== 0)
    return { type: 'refused', message: `git did not take what came from ${gitDir}: ${fetched.complaint.trim()}` };
  const commits: string[] = [];
  for (const { target } of refs) {
    const commit = await readRef(git, incoming(target));
    if (commit === undefined)
      return { type: 'failed', message: `What was fetched for ${target} is gone again; try once more.` };
    commits.push(commit);
  }
  for (const [index, { target }] of refs.entries()) {
    const harm = await harmOf({ git, objects }, { target, base, commit: commits[index] ?? '' });
    if (harm !== undefined) return { type: 'refused', message: harm };
  }
  return moveAll(
    git,
    refs.map(({ target }) => target),
    commits,
  );
}

const incoming = (target: string): string => `refs/incoming/${target.replace(/^refs\//, '')}`;

/** The command goes through a shell, which must take every word as it is. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

interface Come {
  readonly target: string;
  readonly base: string;
  readonly commit: string;
}

async function harmOf({ git, objects }: World, { target, base, commit }: Come): Promise<string | undefined> {
  const kind = await git.line(['cat-file', '-t', commit]);
  if (kind !== 'commit') return `What came for ${target} is a ${kind} and not a commit.`;
  const present = await readRef(git, target);
  if (present !== undefined && !(await objects.isAncestor(present, commit))) {
    return `${target} holds ${present}, which what came does not contain; keep that under a salvage ref first.`;
  }
  return harmIn(objects, base, commit);
}

async function moveAll(git: Git, targets: readonly string[], commits: readonly string[]): Promise<Imported> {
  for (const [index, target] of targets.entries()) {
    const to = commits[index] ?? '';
    const from = await readRef(git, target);
    const swapped = from === to ? undefined : await swapRef(git, { ref: target, from, to });
    if (swapped?.type === 'moved')
      return { type: 'failed', message: `${target} was moved by somebody else meanwhile.` };
    await git.ask(['update-ref', '-d', incoming(target), to]);
  }
  return { type: 'imported', commits };
}
