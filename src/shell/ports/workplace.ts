// The port of sandboxes: where a claim runs, and what happens to its work.
import type { SandboxFailure } from '../../core/protocol/sandbox-failure.ts';

/** Where one claim runs, and what happens to its work. */
export interface Workplace {
  readonly cwd: string;
  /** Added to the environment of its programs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Stands in for the user's home folder there; undefined where programs have the user's own. */
  readonly home?: string | undefined;
  /** Wraps the command line of a program that is started there. */
  readonly wrap: (argv: readonly string[]) => readonly string[];
  /** Whether a program that a signal ended exits there with 128 and the number of the signal, as bubblewrap has it. */
  readonly codesSignals?: boolean | undefined;
  /** Requested before a program is started there, and stopped when the program has ended. */
  readonly monitor: (request: MonitorRequest) => Promise<ResourceMonitor>;
  /** Commits the work of a step; called when none of its processes is left. */
  readonly keep: () => Promise<WorkKept>;
}

/** Watches the resources of a workplace's programs while they run. */
export interface ResourceMonitor {
  /** The pid of the started program; all other processes descend from it. */
  readonly watch: (pid: number) => void;
  /** Receives messages with sockets over the program's channel; undefined when the program needs no channel. */
  readonly onMessage: ((message: unknown, handle: unknown) => void) | undefined;
  /**
   * Called when no program is left. Resolves to the limit at which the kernel ended a program before it was noticed; the
   * message names the limit.
   */
  readonly stop: () => Promise<string | undefined>;
}

export interface MonitorRequest {
  /** A limit was exceeded, and the programs are to be ended; the message names the limit. Called once. */
  readonly onLimitExceeded: (message: string) => void;
  /** Adds a sentence for people to the output. */
  readonly say: (sentence: string) => void;
}

export type WorkKept =
  /** The commit of the work, where there is one, and whether it differs from the step's start. */
  | { readonly type: 'kept'; readonly commit: string | undefined; readonly hasChanges?: boolean | undefined }
  | { readonly type: 'failed'; readonly failure: SandboxFailure };

export type WorkplaceOpened =
  | { readonly type: 'opened'; readonly workplace: Workplace }
  | { readonly type: 'failed'; readonly failure: SandboxFailure };
