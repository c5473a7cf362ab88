// A sandbox, as the rest of the shell sees it: the separate folder in which a task's work happens.
import type { SandboxFailed, SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import type { Argv } from './disk/run-program.ts';
import type { TreeKind } from './tree/tree.ts';
import type { Ref } from '../git/store/refs.ts';
import type { MonitorRequest, ResourceMonitor } from '../ports/workplace.ts';

export interface SandboxRequest {
  readonly run: string;
  readonly task: string;
  /** The commit that the task starts from: the merge of exactly its needs. */
  readonly base: string;
  /** The checkpoint to continue from; undefined when there is none yet. */
  readonly from: string | undefined;
  /** Number of the task's restart: leftovers of an earlier life are salvaged, and not continued from. */
  readonly life?: number | undefined;
  /** The programs of the sandbox may not change its tree, where the system can refuse it. */
  readonly isReadOnly?: boolean | undefined;
  /** Whether to salvage and discard what is there beyond the checkpoint. */
  readonly isClean?: boolean | undefined;
  /** Milliseconds since the epoch, from the log; the date of salvage commits. */
  readonly at: number;
  /** The conversation of another task that is continued here. */
  readonly conversation?: { readonly task: string; readonly id: string } | undefined;
}

export interface CheckpointRequest {
  readonly message: string;
  readonly at: number;
  /** A ref of the integration repository for the commit. */
  readonly ref: string;
  /** The parents, when they are not the last checkpoint: both sides of a resolved conflict. */
  readonly parents?: readonly string[];
  /** For the work of a step: its last line, empty for none, after the messages of commits that its programs made. */
  readonly trailer?: string;
}

export type Checkpoint =
  | { readonly type: 'committed'; readonly commit: string }
  /** Nothing differs from the previous commit, `commit`; the ref names it. */
  | { readonly type: 'unchanged'; readonly commit: string }
  | SandboxFailed;

export type SandboxSalvage =
  | { readonly type: 'salvaged'; readonly refs: readonly Ref[] }
  /** All of its content is reachable already. */
  | { readonly type: 'nothing' }
  | SandboxFailed;

export type Reset = { readonly type: 'reset'; readonly salvaged: readonly Ref[] } | SandboxFailed;

export type Destroyed =
  | { readonly type: 'destroyed'; readonly salvaged: readonly Ref[] }
  /** It still exists, because removing it would lose something. */
  | { readonly type: 'kept'; readonly kept: KeptSandbox };

/** `folder` has what could not be saved, or what nothing is known of because its note cannot be read. */
export type KeptSandbox =
  | { readonly code: 'kept-unsaved'; readonly folder: string; readonly failure: SandboxFailure }
  | { readonly code: 'kept-unknown'; readonly folder: string };

/** A place in which programs can be started. */
export interface SandboxPlace {
  /** The working folder of programs. An overlay is visible there only through `wrap`. */
  readonly folder: string;
  readonly gitDir: string;
  /** Added to a program's environment: TMPDIR, HEDDLE_PORT_0 and so on. */
  readonly environment: Readonly<Record<string, string>>;
  /** Stands in for the user's home folder; undefined where programs have the user's own. */
  readonly home?: string | undefined;
  /** How to start a program inside, in `folder`, with `environment`; in a session of its own, if it is to have its grace. */
  readonly wrap: (argv: Argv) => Argv;
  /** Whether what wraps a program reports the signal that ended it as an exit code. */
  readonly codesSignals: boolean;
  /** Requested before a program is started, and stopped when it has ended. */
  readonly monitor: (request: MonitorRequest) => Promise<ResourceMonitor>;
}

export interface Sandbox extends SandboxPlace {
  /** Commits the tree on top of the last checkpoint, and imports the commit into the integration repository. */
  readonly checkpoint: (request: CheckpointRequest) => Promise<Checkpoint>;
  /** Resets the tree to a commit; uncommitted changes go to a salvage ref first. */
  readonly reset: (commit: string) => Promise<Reset>;
  /** Keeps all content that no ref keeps by a salvage ref; leaves the tree as it is. */
  readonly salvage: (reason: string) => Promise<SandboxSalvage>;
  readonly destroy: () => Promise<Destroyed>;
}

export type SandboxOpened =
  | { readonly type: 'opened'; readonly sandbox: Sandbox; readonly salvaged: readonly Ref[] }
  | SandboxFailed;

export interface CandidateRequest {
  readonly commit: string;
  /** Chosen by the caller, unique among live candidates; a safe file name. */
  readonly name: string;
}

/** A disposable tree of one commit. */
export interface CandidateTree extends SandboxPlace {
  readonly destroy: () => Promise<Destroyed>;
}

export type CandidateOpened = { readonly type: 'opened'; readonly candidate: CandidateTree } | SandboxFailed;

/** A sandbox found on the disk. */
export interface FoundSandbox {
  readonly run: string;
  readonly task: string;
  readonly folder: string;
  readonly kind: TreeKind;
  /** The last checkpoint, or the commit that it started from. */
  readonly head: string;
}

export interface RecoverSandboxes {
  /** Whether a run still needs this sandbox; an unneeded one is salvaged and removed. */
  readonly isWanted: (sandbox: FoundSandbox) => boolean;
}

export interface Recovered {
  readonly removed: readonly FoundSandbox[];
  readonly salvaged: readonly Ref[];
  /** What else was repaired, removed or had to be kept. */
  readonly repairs: readonly SandboxRepair[];
}

export type SandboxRepair =
  | KeptSandbox
  /** Leftovers of killed processes, which were removed. */
  | { readonly code: 'half-made'; readonly task: string }
  | { readonly code: 'candidate'; readonly name: string }
  | { readonly code: 'set-up' }
  | { readonly code: 'left-over'; readonly path: string };
