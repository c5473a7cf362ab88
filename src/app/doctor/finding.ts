// A finding of the doctor: a code with its figures, and a `level` of severity.
import type { SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import type { RepositoryNote } from '../../shell/git/user/user-changes.ts';
import type { SandboxRepair } from '../../shell/sandbox/sandbox.ts';
import type { IsolationReason } from '../../core/protocol/sandbox-backend.ts';
import type { MissingServer } from '../../core/protocol/missing-server.ts';
import type { Refusal } from '../../core/view/text/refusal.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';

/** `bad` makes runs fail; `odd` deserves attention; `absent` is an optional part that is not installed. */
export type Level = 'good' | 'absent' | 'odd' | 'bad';

export interface NamedWorker {
  readonly task: string;
  readonly pid: number | undefined;
  /** Since its last heartbeat. */
  readonly silentMs: number;
  /** Stopped by a signal; `heddle doctor --fix` continues it. */
  readonly isFrozen: boolean;
}

type OfGit =
  | { readonly code: 'git'; readonly version: string; readonly program: string }
  | { readonly code: 'git-missing'; readonly least: string }
  | { readonly code: 'git-old'; readonly version: string; readonly least: string }
  | { readonly code: 'git-note'; readonly remark: RepositoryNote }
  | { readonly code: 'sandboxes-refused'; readonly failure: SandboxFailure };

type OfMachine =
  | { readonly code: 'tree'; readonly tree: string; readonly isChosen: boolean }
  | { readonly code: 'tree-absent'; readonly tree: string; readonly failure: SandboxFailure }
  | { readonly code: 'isolated'; readonly why: IsolationReason }
  | { readonly code: 'not-isolated'; readonly why: IsolationReason }
  | { readonly code: 'isolation-failed'; readonly failure: SandboxFailure }
  | { readonly code: 'agent'; readonly agent: string; readonly path: string }
  | {
      readonly code: 'agent-without-login';
      readonly agent: string;
      readonly path: string;
      readonly hint: string | undefined;
    }
  | { readonly code: 'servers-missing'; readonly agent: string; readonly missing: readonly MissingServer[] }
  /** `isAll` when no agent is installed. */
  | { readonly code: 'agents-missing'; readonly agents: readonly string[]; readonly isAll: boolean }
  | { readonly code: 'disk'; readonly freeBytes: number };

type OfStore =
  | { readonly code: 'nothing-ran' }
  | { readonly code: 'store'; readonly runs: number; readonly coordinators: number }
  | { readonly code: 'store-unreadable'; readonly failure: StoreFailure }
  | { readonly code: 'repository-unreadable'; readonly folder: string; readonly stderr: string }
  | { readonly code: 'run-unreadable'; readonly run: string; readonly refusal: Refusal }
  | { readonly code: 'run-without-coordinator'; readonly run: string }
  | { readonly code: 'workers-without-coordinator'; readonly run: string; readonly workers: readonly NamedWorker[] }
  | { readonly code: 'workers-silent'; readonly run: string; readonly workers: readonly NamedWorker[] };

type OfLeftovers =
  | {
      readonly code: 'sandboxes-left';
      readonly sandboxes: readonly { readonly run: string; readonly task: string }[];
    }
  | { readonly code: 'ports-left'; readonly ports: readonly string[] }
  | { readonly code: 'candidates-left'; readonly count: number }
  | { readonly code: 'locks-left'; readonly folder: string; readonly locks: readonly string[] }
  | { readonly code: 'landing-killed'; readonly ref: string };

/** One finding of the doctor, and the remedy. */
export type Finding = { readonly level: Level } & (OfGit | OfMachine | OfStore | OfLeftovers);

/** The result of a repair. */
export type Repair =
  | { readonly code: 'sandbox-removed'; readonly run: string; readonly task: string }
  | { readonly code: 'worker-continued'; readonly run: string; readonly task: string; readonly pid: number }
  | { readonly code: 'salvaged'; readonly ref: string }
  | { readonly code: 'git'; readonly failure: SandboxFailure }
  /** A lock of a killed process; one that is still held stays. */
  | { readonly code: 'lock'; readonly lock: string; readonly isRemoved: boolean }
  | SandboxRepair;
