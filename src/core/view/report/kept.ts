// What a report tells besides the log: what workers left in the folders of their attempts, and what git has.
import type { Usage } from '../../protocol/result.ts';

export interface Kept {
  /** By the name of a claim, or of a task's merge: the last lines that it or its check printed. */
  readonly outputs: ReadonlyMap<string, string>;
  /** By the name of a claim: what an agent's turn left. */
  readonly turns: ReadonlyMap<string, TurnKept>;
  /** Undefined of a run without git, or where git cannot be asked; then `gitSays` has the reason. */
  readonly git: GitKept | undefined;
  readonly gitSays: string | undefined;
  /** How many coordinators have owned the run. */
  readonly owners: number | undefined;
}

export interface TurnKept {
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
}

export interface GitKept {
  /** Of the run, as the user sees it. */
  readonly branch: string;
  readonly tip: string | undefined;
  /** Where it lands. */
  readonly target: string | undefined;
  /** The oldest first. */
  readonly commits: readonly CommitKept[];
}

export interface CommitKept {
  readonly task: string;
  /** The merge on the run branch. */
  readonly commit: string;
  /** What was merged. */
  readonly tip: string;
  readonly subject: string;
  /** Whether the target has it. */
  readonly isLanded: boolean;
}

export const NOTHING_KEPT: Kept = {
  outputs: new Map(),
  turns: new Map(),
  git: undefined,
  gitSays: undefined,
  owners: undefined,
};

interface Claimed {
  readonly task: string;
  readonly step: string | undefined;
  readonly attempt: number;
}

/** Of a check, the step is undefined. */
export const nameOfClaim = ({ task, step, attempt }: Claimed): string => `${task} ${step ?? ''} ${attempt}`;

/** No claim has this name. */
export const nameOfMerge = (task: string): string => `${task} @merge`;
