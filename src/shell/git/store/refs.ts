// Refs of a repository: read, listed, moved by compare-and-swap, removed only when nothing is lost.
//
// refs/R1. A ref moves only from the value that the caller expects. When the call returns, the move and all objects
//     that the ref reaches are on the disk.
// refs/R2. Neither a move nor a removal makes a commit unreachable (P4): the ref that keeps it is locked during the
//     change.
// refs/R3. Every move can be repeated: a ref that has the new value already counts as moved.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorAsValue, refusedBy, type GitFailed, type GitRefused } from '../run/git-error.ts';
import { gitErrorOf } from '../run/git.ts';
import type { Git } from '../run/git.ts';
import type { Objects } from './objects.ts';
import { REFS } from './ref-names.ts';

export interface Ref {
  readonly ref: string;
  readonly commit: string;
}

/** A ref with the date and the subject of its commit. */
export interface DatedRef extends Ref {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The first line of the message. */
  readonly subject: string;
}

export interface Swap {
  readonly ref: string;
  /** The value it must have; undefined when it must not exist. */
  readonly from: string | undefined;
  readonly to: string;
  /** Another ref that must have this value at the same time; otherwise the move fails. */
  readonly fence?: Ref | undefined;
}

export type Swapped =
  | { readonly type: 'swapped' }
  /** The ref has another value than expected; nothing was changed. */
  | { readonly type: 'moved'; readonly at: string | undefined }
  /** The move would make commits unreachable. */
  | GitRefused
  | GitFailed;

export interface Removal {
  readonly ref: string;
  /** Recorded, with the ref and its commit, in the list of removed refs. */
  readonly reason: string;
}

export type Removed = { readonly type: 'removed' } | GitRefused | GitFailed;

export interface Refs {
  readonly read: (ref: string) => Promise<string | undefined>;
  readonly list: (prefix: string) => Promise<readonly Ref[]>;
  readonly listDated: (prefix: string) => Promise<readonly DatedRef[]>;
  readonly listAt: (commit: string, prefixes: readonly string[]) => Promise<readonly Ref[]>;
  readonly swap: (swap: Swap) => Promise<Swapped>;
  readonly remove: (removal: Removal) => Promise<Removed>;
}

/** One line for each removed ref: name, commit, reason. */
const REMOVED_FILE = 'removed.jsonl';

export function refsIn(git: Git, objects: Objects): Refs {
  return {
    read: async (ref) => readRef(git, ref),
    list: async (prefix) => listRefs(git, [prefix]),
    listDated: async (prefix) => listDatedRefs(git, prefix),
    listAt: async (commit, prefixes) => listRefs(git, [`--points-at=${commit}`, ...prefixes]),
    swap: async (swap) => errorAsValue(async () => swapKeeping({ git, objects }, swap)),
    remove: async (removal) => errorAsValue(async () => removeKept(git, removal)),
  };
}

export async function readRef(git: Git, ref: string): Promise<string | undefined> {
  const loose = readLoose(git.gitDir, ref);
  if (loose.type !== 'unclear') return loose.commit;
  const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', ref];
  const answer = await git.ask(args);
  if (answer.code === 0) return answer.output.toString('utf8').trim();
  if (answer.code === 1) return undefined;
  throw gitErrorOf({ gitDir: git.gitDir, args, answer });
}

type Loose =
  | { readonly type: 'found'; readonly commit: string }
  | { readonly type: 'none'; readonly commit: undefined }
  /** Only git can say. */
  | { readonly type: 'unclear' };

const COMMIT_LINE = /^(?:[\da-f]{40}|[\da-f]{64})\n$/;
/** Where refs are, or may be, elsewhere: packed, of another format, or of the repository that a linked worktree belongs to. */
const ELSEWHERE = ['packed-refs', 'reftable', 'commondir'];

/**
 * Refs of ours are files, one for each, and starting git costs a hundred times what reading one does. A ref that is packed
 * is in `packed-refs` before its file is gone, so the file is looked for first. Git alone knows other names, and why a file
 * cannot be read.
 */
function readLoose(gitDir: string, ref: string): Loose {
  if (!ref.startsWith('refs/')) return { type: 'unclear' };
  try {
    const text = readFileSync(join(gitDir, ref), 'utf8');
    return COMMIT_LINE.test(text) ? { type: 'found', commit: text.trimEnd() } : { type: 'unclear' };
  } catch (cause) {
    const isAbsent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const isHere = existsSync(join(gitDir, 'refs')) && !ELSEWHERE.some((name) => existsSync(join(gitDir, name)));
    return isAbsent && isHere ? { type: 'none', commit: undefined } : { type: 'unclear' };
  }
}

export async function listRefs(git: Git, patterns: readonly string[]): Promise<readonly Ref[]> {
  const lines = await git.line(['for-each-ref', '--format=%(objectname) %(refname)', ...patterns]);
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ commit: line.slice(0, line.indexOf(' ')), ref: line.slice(line.indexOf(' ') + 1) }));
}

async function listDatedRefs(git: Git, prefix: string): Promise<readonly DatedRef[]> {
  const format = '--format=%(objectname) %(refname) %(committerdate:unix) %(contents:subject)';
  const lines = await git.line(['for-each-ref', format, prefix]);
  return lines.split('\n').flatMap((line) => {
    const [commit = '', ref = '', seconds = '', ...subject] = line.split(' ');
    return ref === '' ? [] : [{ commit, ref, at: Number(seconds) * 1000, subject: subject.join(' ') }];
  });
}

interface Store {
  readonly git: Git;
  readonly objects: Objects;
}

async function swapKeeping({ git, objects }: Store, { ref, from, to, fence }: Swap): Promise<Swapped> {
  const at = await readRef(git, ref);
  if (at === to) return { type: 'swapped' };
  if (at !== from) return { type: 'moved', at };
  const isForward = from === undefined || (await objects.isAncestor(from, to));
  const keeper = isForward ? undefined : await keeperOf(git, ref, from);
  if (!isForward && keeper === undefined) return refusedBy({ code: 'only-ref', ref, commit: from });
  await harden(git, from, to);
  return swapRef(git, { ref, from, to, fence }, { held: keeper });
}

/** Further changes in the same transaction. */
export interface Beside {
  /** Must keep its value meanwhile. */
  readonly held?: Ref | undefined;
  /** Deleted in the same transaction. */
  readonly dropped?: Ref | undefined;
}

/** The bare compare-and-swap, for moves that are known to lose nothing. */
export async function swapRef(git: Git, swap: Swap, { held, dropped }: Beside = {}): Promise<Swapped> {
  const { ref, from, to, fence } = swap;
  const dropping = dropped === undefined ? [] : [`delete ${dropped.ref}`, dropped.commit];
  const verifying = [...holding(held), ...holding(fence)];
  const lines = [`update ${ref}`, to, from ?? '0'.repeat(to.length), ...verifying, ...dropping];
  const args = ['update-ref', '-z', '--stdin'];
  const answer = await git.ask(args, { input: `${lines.join('\0')}\0`, settings: DURABLE });
  if (answer.code === 0) return { type: 'swapped' };
  const at = await readRef(git, ref);
  if (at === to) return { type: 'swapped' };
  if (at !== from) return { type: 'moved', at };
  throw gitErrorOf({ gitDir: git.gitDir, args, answer });
}

const holding = (held: Ref | undefined): readonly string[] =>
  held === undefined ? [] : [`verify ${held.ref}`, held.commit];

/** Refs, and objects that are written with them, are synced to the disk. */
export const DURABLE: readonly string[] = ['core.fsync=all', 'core.fsyncMethod=batch'];

/**
 * Objects of merges in memory are loose and not synced, because most are never needed again. Objects that a ref is
 * about to reach are written once more as a pack, which git syncs as a whole.
 */
async function harden(git: Git, from: string | undefined, to: string): Promise<void> {
  const known = [...(await basesOfRuns(git)), ...(from === undefined ? [] : [from])];
  if (known.includes(to)) return;
  const pack = join(git.gitDir, 'objects', 'pack', 'pack');
  await git.must(
    ['pack-objects', '--quiet', '--revs', '--local', '--incremental', '--non-empty', '--delta-base-offset', pack],
    {
      input: [to, ...known.map((commit) => `^${commit}`), ''].join('\n'),
      settings: DURABLE,
    },
  );
}

/** Git would read every ref of every run for this pattern. */
async function basesOfRuns(git: Git): Promise<readonly string[]> {
  const found = runsIn(git.gitDir).map((run) => readLoose(git.gitDir, REFS.base(run)));
  if (found.some(({ type }) => type === 'unclear'))
    return (await listRefs(git, [REFS.base('*')])).map(({ commit }) => commit);
  return found.flatMap((base) => (base.type === 'found' ? [base.commit] : []));
}

function runsIn(gitDir: string): readonly string[] {
  try {
    return readdirSync(join(gitDir, 'refs', 'heddle'));
  } catch {
    // There was no run here yet.
    return [];
  }
}

/** Another ref from which the commit can be reached. */
async function keeperOf(git: Git, ref: string, commit: string): Promise<Ref | undefined> {
  const containing = await git.line([
    'for-each-ref',
    '--contains',
    commit,
    '--format=%(objectname) %(refname)',
    'refs/heads',
    'refs/heddle',
  ]);
  const first = containing.split('\n').find((line) => line !== '' && !line.endsWith(` ${ref}`));
  return first === undefined
    ? undefined
    : { commit: first.slice(0, first.indexOf(' ')), ref: first.slice(first.indexOf(' ') + 1) };
}

async function removeKept(git: Git, { ref, reason }: Removal): Promise<Removed> {
  const commit = await readRef(git, ref);
  if (commit === undefined) return { type: 'removed' };
  const keeper = await keeperOf(git, ref, commit);
  if (keeper === undefined) return refusedBy({ code: 'only-ref', ref, commit });
  await appendFile(join(git.gitDir, REMOVED_FILE), `${JSON.stringify({ ref, commit, reason })}\n`, { flush: true });
  const lines = [`delete ${ref}`, commit, ...holding(keeper)];
  await git.must(['update-ref', '-z', '--stdin'], { input: `${lines.join('\0')}\0`, settings: DURABLE });
  return { type: 'removed' };
}
