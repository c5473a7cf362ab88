// The facts of one task, as a fold of the log.
import type { CompiledTask } from '../compile/compiled.ts';
import type { Whereabouts } from '../protocol/placement.ts';
import type { Conflict, Reason, Result } from '../protocol/result.ts';
import type { Decision, Ended } from './event.ts';
import { noStepFacts, type StepFacts } from './step-facts.ts';

export interface Why {
  readonly reason: Reason;
  readonly cause: string | undefined;
}

/** The latest conflict of a task. */
export interface ConflictFacts extends Conflict {
  /** The conflict is resolved, and the task is to be merged again. */
  readonly isResolved: boolean;
  /** Why the last turn on the conflict was refused, if there was one. */
  readonly refused: string | undefined;
  /** Every task that this task has conflicted with, now or before. */
  readonly ever: readonly string[];
}

/** The ending of a task that ends with its check or its merge. */
export interface TaskEnding extends Ended {
  readonly result: Result | undefined;
}

/** The step whose failure fails its task, and why it failed. */
export interface Failing extends Why {
  readonly step: number;
}

export interface TaskFacts {
  readonly steps: StepFacts[];
  /** The task will end as cancelled, as soon as possible. */
  cancelling: Why | undefined;
  /** The task will end like this, because its check or its merge did. */
  closing: TaskEnding | undefined;
  /** A step failed without `on_error: continue`, so the task will fail. */
  failing: Failing | undefined;
  /** How many of its needs have ended neither well nor skipped. */
  unmet: number;
  /** How often its merge was claimed. */
  merges: number;
  /** How often its check was claimed; the number of the latest check, never reused. */
  checks: number;
  /** How often a gate or a join has asked. */
  asked: number;
  /** How often an amended plan restarted it, from its needs and not from its earlier work. */
  life: number;
  /** Of a join: how often its failed needs were run again for it. */
  rejoined: number;
  /** How many of its checks in a row were lost. */
  checksLost: number;
  /** Set for a dropped subplan whose tasks are still to be skipped. */
  dropped: Ended | undefined;
  /** A person's decisions for all of its turns. */
  decisions: readonly Decision[];
  /** Its merge on the run branch, and the number of that event. */
  merged: { readonly commit: string; readonly event: number } | undefined;
  /** The latest commit of its work: a checkpoint, or the resolution of a conflict. */
  tip: string | undefined;
  conflict: ConflictFacts | undefined;
  /** The output of the check that sent the task back to its agent. */
  failedCheck: string | undefined;
  /** What a round of its loop told its agent, which has the next round. */
  feedback: string | undefined;
  /** What the person who retried the task told its agent. */
  told: string | undefined;
  /** Where its latest claim that is over ran, merges aside: its sandbox is there. */
  ranOn: Whereabouts | undefined;
  /** Hosts that could not begin a claim of it. */
  refusedOn: readonly string[];
  /** Its sandbox may contain files of an unsuccessful attempt. */
  hasLeftovers: boolean;
  /** Its sandbox may contain files of a read-only turn, which are not kept whatever `retry` says. */
  hasDiscards: boolean;
  /** Of a draft: its fragment is part of the plan. */
  hasGrown: boolean;
  openedAt: number | undefined;
  /** The numbers of the events that opened and ended it: two events may have the same time. */
  openingEvent: number;
  endingEvent: number;
  /** When the first of its steps was first claimed; it may have been open long before. */
  startedAt: number | undefined;
  endedAt: number | undefined;
  ended: Ended | undefined;
  result: Result | undefined;
}

export const noFacts = ({ steps }: CompiledTask): TaskFacts => ({
  steps: steps.map(noStepFacts),
  cancelling: undefined,
  closing: undefined,
  failing: undefined,
  unmet: 0,
  merges: 0,
  checks: 0,
  asked: 0,
  life: 0,
  rejoined: 0,
  checksLost: 0,
  dropped: undefined,
  decisions: [],
  merged: undefined,
  tip: undefined,
  conflict: undefined,
  failedCheck: undefined,
  feedback: undefined,
  told: undefined,
  ranOn: undefined,
  refusedOn: [],
  hasLeftovers: false,
  hasDiscards: false,
  hasGrown: false,
  openedAt: undefined,
  openingEvent: 0,
  endingEvent: 0,
  startedAt: undefined,
  endedAt: undefined,
  ended: undefined,
  result: undefined,
});
