// The integration repository: a bare repository in Heddle's home that borrows the user's objects and holds every ref of
// ours, with all that the other parts ask of git.
//
// G1. The user's repository gets `refs/heddle/<run>/base` and nothing else until `publish` and `land`.
// G2. Every deed may be begun twice and may be killed at any moment; ids depend on content and given dates alone.
// G3. No commit becomes unreachable through us (P4).
// G4. What git may well answer is a value. Trouble with git itself rejects with `GitTrouble` where a plain answer is
//     asked for, and is the variant `failed` where the outcome is a tagged union.
import type { ImportOrder, Imported } from './crossing/import-from.ts';
import type { PrivateMade, PrivateOrder } from './crossing/private-git-dir.ts';
import type { Branch, Forecast } from './forecast/forecast.ts';
import type {
  ChainOrder,
  ChainOutcome,
  ConflictPath,
  MergeOrder,
  MergeOutcome,
  TreesMerged,
  TreesOrder,
} from './merge/merge-outcome.ts';
import type { ChangedPath } from './store/changed-path.ts';
import type { CommitOrder } from './store/commit-tree.ts';
import type { Ref, Removal, Removed, Swap, Swapped } from './store/refs.ts';
import type { UserRepository } from './user/describe-user.ts';
import type { Landed, Landing, LandingOrder, LandingReady } from './user/land.ts';

export interface Repository {
  /** `<home>/repo.git`. */
  readonly gitDir: string;
  /** What the alternates of a private git directory list, and what its isolation must be able to read. */
  readonly objectFolders: readonly string[];
  readonly user: UserRepository;
  /** What opening mended or found in the way, a sentence each. */
  readonly says: readonly string[];

  /** The commit that a name means in the user's repository; undefined when it means none. */
  readonly baseOf: (name: string) => Promise<string | undefined>;
  /** Keeps a run's base commit from being collected, in both repositories. */
  readonly pin: (run: string, commit: string) => Promise<Swapped>;

  readonly read: (ref: string) => Promise<string | undefined>;
  /** All refs below a prefix such as `refs/heddle/<run>/tasks`, by name. */
  readonly list: (prefix: string) => Promise<readonly Ref[]>;
  readonly swap: (swap: Swap) => Promise<Swapped>;
  readonly remove: (removal: Removal) => Promise<Removed>;

  readonly treeOf: (commit: string) => Promise<string>;
  readonly parentsOf: (commit: string) => Promise<readonly string[]>;
  readonly messageOf: (commit: string) => Promise<string>;
  /** A commit is an ancestor of itself. */
  readonly isAncestor: (one: string, other: string) => Promise<boolean>;
  /** Whether the commit is there whole enough to be worked with. */
  readonly hasCommit: (commit: string) => Promise<boolean>;
  readonly changedPaths: (from: string, to: string) => Promise<readonly ChangedPath[]>;
  /** The bytes of a blob. */
  readonly contentOf: (blob: string) => Promise<Buffer>;
  readonly commitTree: (order: CommitOrder) => Promise<string>;

  readonly mergeOnto: (order: MergeOrder) => Promise<MergeOutcome>;
  /** Three-way with a given base, of trees or commits, without history. */
  readonly mergeTrees: (order: TreesOrder) => Promise<TreesMerged>;
  readonly mergeAll: (order: ChainOrder) => Promise<ChainOutcome>;
  /** Remembers how the conflicted paths look in a commit that settles them; says which were remembered. */
  readonly remember: (paths: readonly ConflictPath[], commit: string) => Promise<readonly string[]>;
  readonly forecast: (base: string, branches: readonly Branch[]) => Promise<Forecast>;

  readonly importFrom: (order: ImportOrder) => Promise<Imported>;
  readonly privateGitDir: (order: PrivateOrder) => Promise<PrivateMade>;

  /** Brings the run branch into the user's repository, as `refs/heads/heddle/<run>`. */
  readonly publish: (run: string) => Promise<Swapped>;
  /** Builds what the target would become, in memory; moves nothing. */
  readonly prepareLanding: (order: LandingOrder) => Promise<LandingReady>;
  readonly land: (landing: Landing) => Promise<Landed>;
}

export type Opened =
  | { readonly type: 'opened'; readonly repository: Repository }
  | { readonly type: 'refused'; readonly message: string };

export interface OpenOrder {
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  /** The user's repository: a folder of its checkout, or a bare repository. */
  readonly project: string;
  /** Whether to mend what killed processes left: for coordinators and commands of people, not for workers. */
  readonly mends: boolean;
}

/** Names of refs, so that nobody spells them twice. */
export const REFS = {
  runBranch: (run: string): string => `refs/heads/heddle/${run}`,
  base: (run: string): string => `refs/heddle/${run}/base`,
  task: (run: string, task: string): string => `refs/heddle/${run}/tasks/${task}`,
  tasks: (run: string): string => `refs/heddle/${run}/tasks`,
  checkpoint: (run: string, { task, step, attempt }: CheckpointName): string =>
    `refs/heddle/${run}/checkpoints/${task}/${step}/${attempt}`,
  checkpoints: (run: string, task: string): string => `refs/heddle/${run}/checkpoints/${task}`,
  salvage: (run: string, task: string, what: string): string => `refs/heddle/${run}/salvage/${task}/${what}`,
  salvages: (run: string): string => `refs/heddle/${run}/salvage`,
} as const;

export interface CheckpointName {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
}

export async function openRepository({ home }: OpenOrder): Promise<Opened> {
  return Promise.resolve({ type: 'refused', message: `${home}: git is not wired yet.` });
}
