// Heddle's refs in the user's repository: the pinned base of a run, and the run branch once it is published.
import { errorAsValue, refusedBy, GitError } from '../run/git-error.ts';
import { readRef, swapRef, DURABLE, type Swapped } from '../store/refs.ts';
import { objectsIn, type Objects } from '../store/objects.ts';
import { checkoutsOf } from './checkouts.ts';
import type { GitFailure } from '../../../core/protocol/git-failure.ts';
import type { Git } from '../run/git.ts';

interface World extends Both {
  readonly objects: Objects;
}

export interface Publication {
  readonly ref: string;
  /** The end of the published history. */
  readonly to: string;
}

export const publishBranch = async (world: World, publication: Publication): Promise<Swapped> =>
  errorAsValue(async () => publish(world, publication));

async function publish({ ours, users, objects }: World, { ref, to }: Publication): Promise<Swapped> {
  const from = await readRef(users, ref);
  if (from === to) return { type: 'swapped' };
  if (from !== undefined && !(await objects.isAncestor(from, to)))
    return refusedBy({ code: 'branch-ahead', ref, commit: from });
  const shown = (await checkoutsOf(users)).find(({ branch }) => branch === ref);
  if (shown !== undefined) return refusedBy({ code: 'branch-checked-out', ref, folder: shown.folder });
  await copyObjects(users, ours.gitDir, to);
  return swapRef(users, { ref, from, to });
}

// Refs of the user's that block Heddle's: git allows no ref below the name of another.

const OURS_BELOW = ['refs/heads/heddle', 'refs/heddle'] as const;

/** Undefined without an obstacle. */
export async function refInTheWay(users: Git): Promise<GitFailure | undefined> {
  const listed = await users.line(['for-each-ref', '--format=%(refname)', ...OURS_BELOW]);
  const ref = OURS_BELOW.find((each) => listed.split('\n').includes(each));
  return ref === undefined ? undefined : { code: 'ref-in-the-way', ref };
}

/** Ids that a run cannot have, because the user has a branch of that name or below it. */
export async function takenRuns(users: Git): Promise<ReadonlySet<string>> {
  const listed = await users.line(['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/heads/heddle/']);
  return new Set(listed.split('\n').map((name) => name.split('/')[0] ?? ''));
}

// Keeps a run's base commit from garbage collection: by a ref in the integration repository, and one in the user's, the
// only thing of Heddle's there before a run is published (P5).

export interface Both {
  readonly ours: Git;
  readonly users: Git;
}

export const pinBase = async ({ ours, users }: Both, ref: string, commit: string): Promise<Swapped> =>
  errorAsValue(async () => {
    for (const git of [users, ours]) {
      const at = await readRef(git, ref);
      if (at === commit) continue;
      if (at !== undefined) return { type: 'moved', at };
      // A caller on another machine has sent it to ours.
      if (git === users && (await objectsIn(users).commitOf(commit)) === undefined)
        await copyObjects(users, ours.gitDir, commit);
      const swapped = await swapRef(git, { ref, from: undefined, to: commit });
      if (swapped.type !== 'swapped') return swapped;
    }
    return { type: 'swapped' };
  });

// Copies Heddle's commits into the user's object store. No ref moves: the copies are unreachable until one does, and
// git keeps recent unreachable objects.

const ARGS = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
  '--update-shallow',
];

export async function copyObjects(users: Git, ourGitDir: string, commit: string): Promise<void> {
  const settings = [...DURABLE, 'fetch.writeCommitGraph=false', 'transfer.fsckObjects=false'];
  const { code, stderr } = await users.ask([...ARGS, '--end-of-options', ourGitDir, commit], { settings });
  if (code === 0) return;
  throw new GitError({ code: 'commit-not-copied', commit, gitDir: users.gitDir, stderr: stderr.trim() });
}
