// What a person may ask of a run. A command waits in the run's inbox until its coordinator is up.
export type Command =
  | ControlCommand
  /** Answers to a gate, or to a step whose `on_error` or `on_result` asks. */
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
