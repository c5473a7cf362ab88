// The integration repository: a bare repository in Heddle's home that borrows the user's objects and holds all of Heddle's
// refs. The interface of the other parts to git.
//
// repository/G1. The user's repository gets `refs/heddle/<run>/base` and nothing else until `publish` and `land`.
// repository/G2. Every action is idempotent and may be killed at any moment; ids depend only on content and given dates.
// repository/G3. No action makes a commit unreachable (P4).
// repository/G4. Expected answers of git are values. An error of git itself rejects with `GitError` where the result is a
//     plain value, and is the variant `failed` where the result is a tagged union.
import type { GitFailure } from '../../core/protocol/git-failure.ts';
import type { Unresolved } from '../../core/protocol/sandbox-failure.ts';
import { join } from 'node:path';
import {
  importFrom,
  importPack,
  type ObjectImport,
  type ObjectsImported,
  type PackRequest,
} from './store/import-from.ts';
import { makePrivateGitDir } from './store/private-git-dir.ts';
import type { PrivateMade, PrivateGitDirRequest } from './store/private-git-dir.ts';
import type { Branch } from './merge/changed-paths.ts';
import { forecastMerges } from './merge/merge-forecast.ts';
import type { MergeForecast } from './merge/merge-forecast.ts';
import { attributesIn } from './merge/attributes.ts';
import type { WriteOutcome, Sides } from './merge/write-conflict.ts';
import type { LearnRequest } from './merge/learn-resolutions.ts';
import type {
  ChainRequest,
  ChainOutcome,
  ConflictPath,
  TreeMergeRequest,
  MergeOutcome,
  TreesMerged,
  TreesMergeRequest,
} from './merge/merge-outcome.ts';
import { treeMerges } from './merge/tree-merges.ts';
import { resolutionsIn } from './merge/resolutions.ts';
import { unresolvedIn } from './merge/unresolved.ts';
import type { ProposedResolution } from './merge/unresolved.ts';
import { REFS } from './store/ref-names.ts';
import { GitError, errorAsValue, refusedBy, type GitRefused } from './run/git-error.ts';
import { gitAt } from './run/git.ts';
import type { ChangedPath } from './store/changed-path.ts';
import { makeIntegrationRepository } from './store/integration-repository.ts';
import { removeLeftovers } from './store/leftovers.ts';
import { objectsIn } from './store/objects.ts';
import type { CommitFields } from './store/write-commit.ts';
import { refsIn } from './store/refs.ts';
import type { DatedRef, Ref, Removal, Removed, Swap, Swapped } from './store/refs.ts';
import { removeStaleLocks, oldLocksBelow, type FoundLock } from './store/stale-locks.ts';
import { describeUser } from './user/describe-user.ts';
import type { UserRepository } from './user/describe-user.ts';
import { landBranch } from './user/land-branch.ts';
import type { Landed, Landing } from './user/land-branch.ts';
import { refInTheWay, takenRuns, publishBranch, pinBase } from './user/publish.ts';
import { prepareLanding } from './user/prepare-landing.ts';
import type { LandingRequest, LandingReady } from './user/prepare-landing.ts';
import { publishedHistory } from './user/published-history.ts';
import type { HistoryRequest, PublishedCommit } from './user/published-history.ts';
import { landedIn, runCommits } from './store/run-commits.ts';
import type { RunCommit } from './store/run-commits.ts';
import { restoreCommit } from './user/restore.ts';
import type { Restored, RestoreCommit } from './user/restore.ts';

export interface Repository {
  /** `<home>/repo.git`. */
  readonly gitDir: string;
  /** The alternates of a private git directory, which its isolation must make readable. */
  readonly objectFolders: readonly string[];
  readonly user: UserRepository;
  /** Locks of killed processes that were found while opening. */
  readonly locks: readonly FoundLock[];

  /** The commit of a name in the user's repository; undefined when there is none. */
  readonly baseOf: (name: string) => Promise<string | undefined>;
  /** A user's ref that blocks Heddle's refs; undefined when there is none. */
  readonly inTheWay: () => Promise<GitFailure | undefined>;
  /** Ids of runs for which the user has a branch already, or a branch below it. */
  readonly takenRuns: () => Promise<ReadonlySet<string>>;
  /** Keeps a run's base commit from garbage collection, by a ref in both repositories. */
  readonly pin: (run: string, commit: string) => Promise<Swapped>;

  readonly read: (ref: string) => Promise<string | undefined>;
  /** All refs below a prefix such as `refs/heddle/<run>/tasks`, by name. */
  readonly list: (prefix: string) => Promise<readonly Ref[]>;
  /** The same with date and subject of their commits, for people. */
  readonly listDated: (prefix: string) => Promise<readonly DatedRef[]>;
  /** The refs below these prefixes that name the commit. */
  readonly listAt: (commit: string, prefixes: readonly string[]) => Promise<readonly Ref[]>;
  readonly swap: (swap: Swap) => Promise<Swapped>;
  readonly remove: (removal: Removal) => Promise<Removed>;

  readonly treeOf: (commit: string) => Promise<string>;
  readonly parentsOf: (commit: string) => Promise<readonly string[]>;
  readonly messageOf: (commit: string) => Promise<string>;
  /** A commit is an ancestor of itself. */
  readonly isAncestor: (one: string, other: string) => Promise<boolean>;
  /** The commit of a name in the integration repository, if it exists there. */
  readonly commitOf: (name: string) => Promise<string | undefined>;
  readonly changedPaths: (from: string, to: string) => Promise<readonly ChangedPath[]>;
  /** The bytes of a blob. */
  readonly contentOf: (blob: string) => Promise<Buffer>;
  readonly commitTree: (request: CommitFields) => Promise<string>;

  readonly mergeOnto: (request: TreeMergeRequest) => Promise<MergeOutcome>;
  /** Three-way merge with a given base, of trees or commits, without history. */
  readonly mergeTrees: (request: TreesMergeRequest) => Promise<TreesMerged>;
  readonly mergeAll: (request: ChainRequest) => Promise<ChainOutcome>;
  /** Remembers the conflicted paths as they are in a resolving commit; returns the remembered paths. */
  readonly remember: (paths: readonly ConflictPath[], commit: string) => Promise<readonly string[]>;
  /** Remembers how the conflicts of a task were resolved, as its commits show; returns the paths. */
  readonly learn: (request: LearnRequest) => Promise<readonly string[]>;
  /** Writes both sides of a conflict into one tree, with markers and a note, to be resolved there. */
  readonly writeConflict: (sides: Sides) => Promise<WriteOutcome>;
  /** What is missing in a commit to resolve the written conflict; empty when it does. */
  readonly unresolved: (resolving: ProposedResolution) => Promise<readonly Unresolved[]>;
  readonly forecast: (base: string, branches: readonly Branch[]) => Promise<MergeForecast>;

  readonly importFrom: (request: ObjectImport) => Promise<ObjectsImported>;
  /** The same for one small commit, from a pack that was written inside; undefined when a fetch is needed instead. */
  readonly importPack: (request: PackRequest) => Promise<ObjectsImported | undefined>;
  readonly privateGitDir: (request: PrivateGitDirRequest) => Promise<PrivateMade>;

  /** The merges of a run as the commits that people get, the oldest first. */
  readonly history: (request: HistoryRequest) => Promise<readonly PublishedCommit[]>;
  /** Commits along the first parents of a commit, after another, the oldest first. */
  readonly commitsAfter: (base: string, tip: string) => Promise<readonly RunCommit[]>;
  /** The commits of one branch that a target contains. */
  readonly landedIn: (commits: readonly string[], target: string) => Promise<ReadonlySet<string>>;
  /** Brings the published history of a run into the user's repository, as `refs/heads/heddle/<run>`. */
  readonly publish: (run: string, commit: string) => Promise<Swapped>;
  /**
   * Builds the landed commit in memory; repairs an earlier landing on the target that was killed, and moves nothing
   * else.
   */
  readonly prepareLanding: (request: LandingRequest) => Promise<LandingReady>;
  readonly land: (landing: Landing) => Promise<Landed>;
  /** Gives the user a commit as a branch or as files; never overwrites anything. */
  readonly restore: (request: RestoreCommit) => Promise<Restored>;
}

export type RepositoryOpened = { readonly type: 'opened'; readonly repository: Repository } | GitRefused;

export interface OpenRepositoryOptions {
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  /** The user's repository: a folder of its checkout, or a bare repository. */
  readonly project: string;
  /** Whether to repair leftovers of killed processes: for coordinators and commands, not for workers. */
  readonly repairs: boolean;
}

export async function openRepository({ home, project, repairs }: OpenRepositoryOptions): Promise<RepositoryOpened> {
  try {
    const user = await describeUser(project);
    if (user.type === 'refused') return user;
    const gitDir = await makeIntegrationRepository({
      home,
      objectFormat: user.objectFormat,
      objectFolder: user.objectFolders[0] ?? '',
      shallow: user.isShallow ? join(user.commonDir, 'shallow') : undefined,
    });
    const locks = repairs ? await repairBoth({ home, gitDir, user }) : [];
    return { type: 'opened', repository: assemble({ home, gitDir, user, locks }) };
  } catch (cause) {
    if (cause instanceof GitError) return refusedBy(cause.failure);
    throw cause;
  }
}

const ATTRIBUTES_FOLDER = 'attributes';
const RESOLUTIONS_FOLDER = 'resolutions';

interface Parts {
  readonly home: string;
  readonly gitDir: string;
  readonly user: UserRepository;
}

async function repairBoth({ home, gitDir, user }: Parts): Promise<readonly FoundLock[]> {
  const built = [join(home, ATTRIBUTES_FOLDER), join(home, RESOLUTIONS_FOLDER), gitDir, join(gitDir, 'objects')];
  await removeLeftovers([home, ...built, join(gitDir, 'objects', 'info')]);
  const ours = await removeStaleLocks({ home, gitDir, folders: [gitDir], files: [] });
  const { commonDir } = user;
  const files = await oldLocksBelow(join(commonDir, 'refs', 'heads', 'heddle'));
  const users = await removeStaleLocks({
    home,
    gitDir: commonDir,
    folders: [join(commonDir, 'refs', 'heddle')],
    files,
  });
  return [...ours, ...users];
}

function assemble({ home, gitDir, user, locks }: Parts & Pick<Repository, 'locks'>): Repository {
  const git = gitAt(gitDir);
  const users = gitAt(user.commonDir);
  const objects = objectsIn(git);
  const attributes = attributesIn({ git, objects, folder: join(home, ATTRIBUTES_FOLDER) });
  const resolutions = resolutionsIn({ git, objects, folder: join(home, RESOLUTIONS_FOLDER) });
  const merges = treeMerges({ git, objects, attributes, resolutions });
  const objectFolders = [join(gitDir, 'objects'), ...user.objectFolders];
  const lent = {
    objectFolders,
    objectFormat: user.objectFormat,
    settings: user.checkoutSettings,
    shallow: user.isShallow ? join(gitDir, 'shallow') : undefined,
  };
  return {
    gitDir,
    objectFolders,
    user,
    locks,
    ...objects,
    ...refsIn(git, objects),
    baseOf: async (name) => objectsIn(users).commitOf(name),
    inTheWay: async () => refInTheWay(users),
    takenRuns: async () => takenRuns(users),
    pin: async (run, commit) => pinBase({ ours: git, users }, REFS.base(run), commit),
    mergeOnto: merges.mergeOnto,
    mergeTrees: merges.mergeTrees,
    mergeAll: merges.mergeAll,
    remember: resolutions.remember,
    learn: merges.learn,
    writeConflict: merges.writeConflict,
    unresolved: async (resolving) => unresolvedIn(objects, resolving),
    forecast: async (base, branches) => forecastMerges({ git, merges, attributes }, base, branches),
    importFrom: async (request) => importFrom({ git, objects }, request),
    importPack: async (request) => errorAsValue(async () => importPack({ git, objects }, request)),
    privateGitDir: async (request) => makePrivateGitDir(lent, request),
    history: async (request) => publishedHistory({ git, objects, merges }, request),
    commitsAfter: async (base, tip) => runCommits(git, { base, tip }),
    landedIn: async (commits, target) => landedIn(git, commits, target),
    publish: async (run, to) => publishBranch({ ours: git, users, objects }, { ref: REFS.runBranch(run), to }),
    prepareLanding: async (request) => prepareLanding({ home, users, objects, merges }, request),
    land: async (landing) => landBranch({ home, ours: git, users, objects }, landing),
    restore: async (request) => restoreCommit({ ours: git, users }, request),
  };
}
