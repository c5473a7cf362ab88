// Input from hosts and from people. Each outcome becomes one event or a few, or none when it is stale.
import type { AmendCommand, ControlCommand, RollbackCommand } from './command.ts';
import type { WorkOutcome } from '../protocol/work-outcome.ts';

/** `attempt` is the attempt of the question. */
interface OfQuestion {
  readonly task: string;
  readonly attempt: number;
}

export type Outcome =
  | WorkOutcome
  | (OfQuestion & { readonly type: 'answered'; readonly step: string | undefined; readonly answer: AnswerWord })
  /** A person's answer to an agent's question. */
  | (OfQuestion & {
      readonly type: 'replied';
      readonly step: string;
      readonly text: string;
      /** Required for a permission request; the text may then be empty. */
      readonly decision?: Decided | undefined;
    })
  /** A person resolved a task's conflict; `commit` is the person's commit, if any. */
  | (OfQuestion & { readonly type: 'resolved'; readonly commit: string | undefined })
  | RollbackCommand
  | AmendCommand
  /** A person's command; no tasks means the whole run. */
  | ControlCommand
  /** Only time has passed. */
  | { readonly type: 'time' };

/** A person's answer to a permission request. */
export type Decided = 'yes' | 'no' | 'always';

export type AnswerWord = 'approve' | 'reject' | 'retry';
