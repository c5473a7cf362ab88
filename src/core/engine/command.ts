// What a person may ask of a run. A command waits in the run's inbox until its coordinator is up.
import type { PlanGiven } from './event.ts';

export type Command =
  | ControlCommand
  | RollbackCommand
  | AmendCommand
  /** A conflict has been resolved by hand; `commit` is what came of it, undefined when the task stands as it was. */
  | { readonly type: 'merge'; readonly task: string; readonly commit: string | undefined }
  /** Words for an agent that has asked for them. */
  | {
      readonly type: 'answer';
      readonly task: string;
      readonly step: string | undefined;
      readonly text: string;
    }
  /** Answers to a gate, to a step whose `on_error` or `on_result` asks, or to a conflict that waits for a person. */
  | {
      readonly type: 'approve' | 'reject';
      readonly task: string;
      readonly step: string | undefined;
    };

/** No tasks means the run as a whole; a subplan means all that is in it. */
export interface ControlCommand {
  readonly type: 'pause' | 'resume' | 'stop' | 'cancel' | 'retry' | 'skip';
  readonly tasks: readonly string[];
}

/** Back to the checkpoint before a step of the task: it and all after it are done again. */
export interface RollbackCommand {
  readonly type: 'rollback';
  readonly task: string;
  readonly step: string;
}

/** Another plan for what is left of the run. */
export interface AmendCommand extends PlanGiven {
  readonly type: 'amend';
  /** What the person was shown and agreed to: when the run has moved on and it is not that any more, nothing is done. */
  readonly expects: Expected;
}

/** By path, in no order. */
export interface Expected {
  readonly restarted: readonly string[];
  readonly added: readonly string[];
  readonly cancelled: readonly string[];
}
