// What comes back from the world: from hosts and from people. Each becomes one event, or none when it is stale.
import type { AmendCommand, ControlCommand, RollbackCommand } from './command.ts';
import type { WorkOutcome } from '../protocol/work-outcome.ts';

/** `attempt` is that of the question. */
interface OfQuestion {
  readonly task: string;
  readonly attempt: number;
}

export type Outcome =
  | WorkOutcome
  | (OfQuestion & { readonly type: 'answered'; readonly step: string | undefined; readonly answer: Answered })
  /** A person's words to an agent that asked. */
  | (OfQuestion & {
      readonly type: 'told';
      readonly step: string;
      readonly text: string;
      /** Of a permission, which wants one; the text may then be empty. */
      readonly decision?: Decided | undefined;
    })
  /** A person has made the work of a conflicted task fit; `commit` is theirs, if they made one. */
  | (OfQuestion & { readonly type: 'resolved'; readonly commit: string | undefined })
  | RollbackCommand
  | AmendCommand
  /** A person's word; no tasks means the run as a whole. */
  | ControlCommand
  /** Nothing happened but time. */
  | { readonly type: 'time' };

/** What a person says to a permission. */
export type Decided = 'yes' | 'no' | 'always';

export type Answered = 'approve' | 'reject' | 'retry';
