// What a person may ask of a run. A command waits in the run's inbox until its coordinator is up.
export type Command =
  /** No tasks means the run as a whole. */
  | {
      readonly type: 'pause' | 'resume' | 'stop' | 'cancel' | 'retry' | 'skip';
      readonly tasks: readonly string[];
    }
  /** Answers to a gate, or to a step whose `on_error` or `on_result` asks. */
  | {
      readonly type: 'approve' | 'reject';
      readonly task: string;
      readonly step: string | undefined;
    };
