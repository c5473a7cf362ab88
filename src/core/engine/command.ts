// The commands of a person to a run. A command waits in the run's inbox until a coordinator handles it.
import type { PlanGiven } from './event.ts';

export type Command =
  | ControlCommand
  | RollbackCommand
  | AmendCommand
  /** A person resolved a conflict; `commit` is the resolution, undefined when the task's work is unchanged. */
  | { readonly type: 'merge'; readonly task: string; readonly commit: string | undefined }
  /** An answer to an agent's question. */
  | (AnswerTo & { readonly type: 'answer'; readonly text: string })
  /** Answers to a gate, to a step whose `on_error` or `on_result` asks, or to a conflict that waits for a person. */
  | (AnswerTo & { readonly type: 'approve' | 'reject' });

/** Which question a person answers. */
export interface AnswerTo {
  readonly task: string;
  readonly step: string | undefined;
  /** The attempt that asked: if another attempt asks by then, the person has not seen its question, and nothing is done. */
  readonly attempt?: number | undefined;
}

/** No tasks means the whole run; a subplan means all tasks in it. */
export type ControlCommand =
  | { readonly type: 'pause' | 'resume' | 'stop' | 'cancel' | 'skip'; readonly tasks: readonly string[] }
  | RetryCommand;

export interface RetryCommand {
  readonly type: 'retry';
  readonly tasks: readonly string[];
  /** What the person tells the agents of the tasks that run again. */
  readonly text?: string | undefined;
}

/** Back to the checkpoint before a step of the task: this step and all later steps run again. */
export interface RollbackCommand {
  readonly type: 'rollback';
  readonly task: string;
  readonly step: string;
}

/** A new plan for the remaining work of the run. */
export interface AmendCommand extends PlanGiven {
  readonly type: 'amend';
  /** The changes that the person confirmed: when the run has progressed and they are outdated, nothing is done. */
  readonly expects: ExpectedChanges;
}

/** By path, unordered. */
export interface ExpectedChanges {
  readonly restarted: readonly string[];
  readonly added: readonly string[];
  readonly cancelled: readonly string[];
}
