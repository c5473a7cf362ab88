// Imports commits from a sandbox: only objects are imported, and only safe content.
//
// import-from/C1. Nothing of the sandbox is run or read here but the pack that its upload-pack sends, and every object
//     in it is checked before it is kept.
// import-from/C2. Imported commits wait under `refs/incoming/` and move to their target only when all their content was
//     found safe.
// import-from/C3. A target that holds other work is not overwritten (P4).
import type { GitFailure } from '../../../core/protocol/git-failure.ts';
import { errorAsValue, refusedBy, type GitFailed, type GitRefused } from '../run/git-error.ts';
import type { Git } from '../run/git.ts';
import type { Objects } from './objects.ts';
import { DURABLE, swapRef } from './refs.ts';
import type { Ref } from './refs.ts';
import { unsafeContentIn } from './unsafe-content.ts';

export interface ImportOrder {
  /** The private git directory, as the program that `uploadPack` starts sees it. */
  readonly gitDir: string;
  readonly refs: readonly { readonly source: string; readonly target: string }[];
  /** The commit that the work started from: only additions to it are examined. */
  readonly base: string;
  /** Starts `git-upload-pack`, inside the isolation where there is one; the git directory is appended as last argument. */
  readonly uploadPack: readonly string[];
}

export type Imported =
  /** In the order of `refs`. */
  | { readonly type: 'imported'; readonly commits: readonly string[] }
  /** The content is unsafe; no target was moved. */
  | GitRefused
  | GitFailed;

interface World {
  readonly git: Git;
  readonly objects: Objects;
}

export const importFrom = async (world: World, request: ImportOrder): Promise<Imported> =>
  errorAsValue(async () => fetchAndMove(world, request));

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
  if (fetched.code !== 0) return refusedBy({ code: 'import-failed', gitDir, stderr: fetched.stderr.trim() });
  const arrivals = await arrivalsOf(git, refs);
  for (const { target, commit, kind } of arrivals) {
    if (commit === '') return { type: 'failed', failure: { code: 'import-lost', ref: target } };
    if (kind !== 'commit') return refusedBy({ code: 'import-not-a-commit', ref: target, kind });
  }
  for (const arrival of arrivals) {
    const harm = await harmOf(objects, arrival, base);
    if (harm !== undefined) return refusedBy(harm);
  }
  return moveAll(git, arrivals);
}

interface Arrival {
  readonly target: string;
  readonly commit: string;
  readonly kind: string;
  /** The previous value of the target. */
  readonly present: string | undefined;
}

/** One query for all, because starting a process costs as much as its answer. */
async function arrivalsOf(git: Git, refs: ImportOrder['refs']): Promise<readonly Arrival[]> {
  const names = refs.flatMap(({ target }) => [incoming(target), target]);
  const lines = (
    await git.line(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
      input: names.map((name) => `${name}\n`).join(''),
    })
  ).split('\n');
  return refs.map(({ target }, index) => {
    const [commit, kind = ''] = answerIn(lines[index * 2]);
    return { target, commit: commit ?? '', kind, present: answerIn(lines[index * 2 + 1])[0] };
  });
}

/** A missing object is answered by its name and `missing`. */
const answerIn = (line: string | undefined): readonly string[] =>
  /^[\da-f]{40,64} (?!missing)/.test(line ?? '') ? (line ?? '').split(' ') : [];

const incoming = (target: string): string => `refs/incoming/${target.replace(/^refs\//, '')}`;

/** The command goes through a shell, so every word is quoted. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

async function harmOf(
  objects: Objects,
  { target, commit, present }: Arrival,
  base: string,
): Promise<GitFailure | undefined> {
  if (present !== undefined && present !== commit && !(await objects.isAncestor(present, commit))) {
    return { code: 'import-drops', ref: target, commit: present };
  }
  return unsafeContentIn(objects, base, commit);
}

/** Each target moves in the same transaction that deletes its incoming ref. */
async function moveAll(git: Git, arrivals: readonly Arrival[]): Promise<Imported> {
  for (const { target, commit, present } of arrivals) {
    const arrived = { ref: incoming(target), commit };
    const swap = { ref: target, from: present, to: commit };
    const swapped = present === commit ? await dropRef(git, arrived) : await swapRef(git, swap, { dropped: arrived });
    if (swapped?.type === 'moved') return { type: 'failed', failure: { code: 'ref-moved', ref: target } };
  }
  return { type: 'imported', commits: arrivals.map(({ commit }) => commit) };
}

async function dropRef(git: Git, { ref, commit }: Ref): Promise<undefined> {
  await git.ask(['update-ref', '-d', ref, commit]);
}
