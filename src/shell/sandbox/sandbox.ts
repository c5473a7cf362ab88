// The place apart where a task's work happens, as the rest of the shell sees it.
import type { Ref } from '../git/store/refs.ts';
import type { MonitorRequest, ResourceMonitor } from '../ports/sandboxes.ts';

/** How a sandbox gets its files. */
export type TreeKind = 'overlay' | 'snapshot' | 'checkout' | 'none';

export interface SandboxRequest {
  readonly run: string;
  readonly task: string;
  /** What the task starts from: the merge of exactly what it needs. */
  readonly base: string;
  /** The checkpoint to go on from; undefined when there is none yet. */
  readonly from: string | undefined;
  /** Of a task that began anew: what another life of it has left is salvaged, and not gone on from. */
  readonly life?: number | undefined;
  /** Milliseconds since the epoch, from the log; dates what is salvaged. */
  readonly at: number;
}

export interface CheckpointRequest {
  readonly message: string;
  readonly at: number;
  /** A ref of the integration repository that shall name the commit. */
  readonly ref: string;
  /** What it stands on, when that is not the last checkpoint: both sides of a conflict that was resolved. */
  readonly parents?: readonly string[];
}

export type Checkpoint =
  | { readonly type: 'committed'; readonly commit: string }
  /** Nothing differs from the commit before, which `commit` is; the ref names it. */
  | { readonly type: 'unchanged'; readonly commit: string }
  | { readonly type: 'failed'; readonly message: string };

export type Salvage =
  | { readonly type: 'salvaged'; readonly refs: readonly Ref[] }
  /** Everything in it is reachable already. */
  | { readonly type: 'nothing' }
  | { readonly type: 'failed'; readonly message: string };

export type Reset =
  | { readonly type: 'reset'; readonly salvaged: readonly Ref[] }
  | { readonly type: 'failed'; readonly message: string };

export type Destroyed =
  | { readonly type: 'destroyed'; readonly salvaged: readonly Ref[] }
  /** It is still there, because removing it would lose something or it is in use; `message` says what to do. */
  | { readonly type: 'kept'; readonly message: string };

/** A program to start: what `wrap` makes of one. */
export type Argv = readonly string[];

/** A place in which programs can be started. */
export interface Place {
  /** Where programs start. A tree of the kind that is mounted inside is seen through `wrap` alone. */
  readonly folder: string;
  readonly gitDir: string;
  /** To be added to a program's environment: TMPDIR, HEDDLE_PORT_0 and so on. */
  readonly environment: Readonly<Record<string, string>>;
  /** How to start a program inside, in `folder`, with `environment`; in a session of its own, if it is to have its grace. */
  readonly wrap: (argv: Argv) => Argv;
  /** To be asked for before a program is started, and stopped when it has ended. */
  readonly guard: (request: MonitorRequest) => Promise<ResourceMonitor>;
}

export interface Sandbox extends Place {
  /** Commits what is in the tree, on top of the last checkpoint, and brings it into the integration repository. */
  readonly checkpoint: (request: CheckpointRequest) => Promise<Checkpoint>;
  /** Back to a commit; what is not committed goes to a salvage ref first. */
  readonly reset: (commit: string) => Promise<Reset>;
  /** Puts everything that no ref keeps behind a salvage ref; leaves the tree as it is. */
  readonly salvage: (reason: string) => Promise<Salvage>;
  readonly destroy: () => Promise<Destroyed>;
}

export type SandboxOpened =
  | { readonly type: 'opened'; readonly sandbox: Sandbox; readonly salvaged: readonly Ref[] }
  | { readonly type: 'failed'; readonly message: string };

export interface CandidateRequest {
  readonly commit: string;
  /** Of the caller's choosing, unique among those at work; a safe name for a file. */
  readonly name: string;
}

/** A tree of one commit that is thrown away after use. */
export interface Candidate extends Place {
  readonly destroy: () => Promise<Destroyed>;
}

export type CandidateOpened =
  | { readonly type: 'opened'; readonly candidate: Candidate }
  | { readonly type: 'failed'; readonly message: string };

/** A sandbox as it is found on the disk. */
export interface FoundSandbox {
  readonly run: string;
  readonly task: string;
  readonly folder: string;
  readonly kind: TreeKind;
  /** The last checkpoint, or what it started from. */
  readonly head: string;
  readonly isMounted: boolean;
}

export interface RecoverRequest {
  /** Whether a run still wants this sandbox; one that nobody wants is salvaged and removed. */
  readonly isWanted: (sandbox: FoundSandbox) => boolean;
}

export interface Recovered {
  readonly removed: readonly FoundSandbox[];
  readonly salvaged: readonly Ref[];
  /** What was mended, removed or had to be kept, a sentence each. */
  readonly says: readonly string[];
}
