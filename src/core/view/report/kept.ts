// Inputs of a report besides the log: files in the attempt folders, and facts from git.
import type { Usage } from '../../protocol/result.ts';

export interface KeptForReport {
  /** By name of a claim, or of the merge of a task: the last lines that it or its check printed. */
  readonly outputs: ReadonlyMap<string, string>;
  /** By name of a claim: the turn record of an agent. */
  readonly turns: ReadonlyMap<string, TurnKept>;
  /** Undefined for a run without git, or when git fails; then `gitSays` holds the reason. */
  readonly git: GitKept | undefined;
  readonly gitSays: string | undefined;
  /** The number of coordinators that have owned the run. */
  readonly owners: number | undefined;
}

export interface TurnKept {
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
}

export interface GitKept {
  /** The run branch, as the user sees it. */
  readonly branch: string;
  readonly tip: string | undefined;
  /** The target branch. */
  readonly target: string | undefined;
  /** Oldest first. */
  readonly commits: readonly CommitKept[];
}

export interface CommitKept {
  readonly task: string;
  /** The merge commit on the run branch. */
  readonly commit: string;
  /** The merged commit. */
  readonly tip: string;
  readonly subject: string;
  /** Whether the target contains it. */
  readonly isLanded: boolean;
}

interface Claimed {
  readonly task: string;
  readonly step: string | undefined;
  readonly attempt: number;
}

/** The step is undefined for a check. */
export const nameOfClaim = ({ task, step, attempt }: Claimed): string => `${task} ${step ?? ''} ${attempt}`;

/** The name of the merge of a task; no claim has this name. */
export const nameOfMerge = (task: string): string => `${task} @merge`;
