// The reply to a command, as data. Codes are stable: `--json` shows them and programs rely on them. `view/text` makes
// the text for people.
import type { ExpectedChanges } from '../command.ts';
import type { Ending } from '../event.ts';
import type { Decided } from '../outcome.ts';
import type { AmendRefusal } from '../amendment.ts';

export interface CommandReply {
  /** Whether the command changes anything; if not, the notes give the reasons. */
  readonly takesEffect: boolean;
  /** One for each task that the command names, or one for the run. */
  readonly notes: readonly ReplyNote[];
}

/** The reply to a command. */
export type Replied =
  | { readonly type: 'replied'; readonly reply: CommandReply }
  /** The coordinator has not handled the command yet. */
  | { readonly type: 'silent' }
  /** The caller has stopped waiting for the reply, and the store may be closed. */
  | { readonly type: 'gone' };

export type ReplyNote = RunNote | TaskNote | RetryNote | QuestionNote | RollbackNote | AmendNote | UnknownNote;

export type UnknownNote =
  /** `nearest` is a task of the plan with a similar name. */
  | { readonly code: 'task.unknown'; readonly task: string; readonly nearest: string | undefined }
  /** A newer Heddle posted it. */
  | { readonly code: 'command.unknown' };

export type RunNote =
  | {
      readonly code:
        | 'run.ended'
        | 'run.ended.retry'
        | 'run.paused'
        | 'run.paused.already'
        | 'run.paused.idle'
        | 'run.stopped.already'
        | 'run.active'
        | 'run.cancelled'
        | 'run.ending.already'
        | 'run.nothing-failed'
        | 'skip.names-no-task';
    }
  /** `claims` is the number of stopped claims. */
  | { readonly code: 'run.stopped'; readonly claims: number }
  /** `tasks` had been paused individually and are resumed too. */
  | { readonly code: 'run.resumed'; readonly tasks: readonly string[] }
  | { readonly code: 'tasks.resumed' | 'tasks.reset'; readonly tasks: readonly string[] };

export type TaskNote =
  | { readonly code: 'task.ended'; readonly task: string; readonly ending: Ending }
  | {
      readonly code:
        | 'task.cancelled'
        | 'task.ending.already'
        | 'task.skipped'
        | 'task.paused'
        | 'task.paused.already'
        | 'task.reset'
        | 'task.retried'
        | 'task.backoff-skipped';
      readonly task: string;
    }
  | { readonly code: 'task.stopped'; readonly task: string; readonly claims: number }
  | { readonly code: 'task.resumed' | 'task.not-paused'; readonly task: string; readonly isRunPaused: boolean }
  | { readonly code: 'task.paused.by-subplan'; readonly task: string; readonly subplan: string };

/** Why a task cannot run again. */
export type ObstacleNote = {
  readonly code: 'retry.used' | 'retry.raced' | 'retry.needs';
  readonly task: string;
  readonly by: string;
};

export type RetryNote =
  | ObstacleNote
  | { readonly code: 'retry.ended-well'; readonly task: string; readonly ending: Ending }
  | { readonly code: 'retry.not-failed' | 'retry.still-ending'; readonly task: string }
  /** Tasks that run again together with the named tasks. */
  | { readonly code: 'tasks.reset.also'; readonly tasks: readonly string[] };

export interface OfQuestion {
  readonly task: string;
  /** Undefined for a gate, a conflict and a task with one step. */
  readonly step: string | undefined;
}

export type QuestionNote =
  | (OfQuestion & {
      readonly code:
        | 'question.approved'
        | 'question.rejected'
        | 'question.answered'
        | 'question.wants-text'
        | 'question.wants-yes-or-no';
    })
  | (OfQuestion & { readonly code: 'permission.decided'; readonly decision: Decided })
  | (OfQuestion & { readonly code: 'permission.wants-yes-or-no'; readonly text: string })
  /** Another attempt asks by now, whose question may be another one. */
  | (OfQuestion & { readonly code: 'question.outdated' })
  /** `others` are the open questions. */
  | (OfQuestion & { readonly code: 'question.none'; readonly others: readonly OfQuestion[] })
  | { readonly code: 'question.several'; readonly task: string; readonly steps: readonly string[] }
  /** `unresolved`: the conflict has no resolution yet, so there is nothing to approve. */
  | { readonly code: 'conflict.resolved' | 'conflict.none' | 'conflict.unresolved'; readonly task: string };

interface OfRollback {
  readonly task: string;
  readonly step: string;
}

export type RollbackNote =
  /** `tasks` go back with it. */
  | (OfRollback & { readonly code: 'task.rolled-back'; readonly tasks: readonly string[] })
  | (OfRollback & {
      readonly code:
        | 'rollback.in-place'
        | 'rollback.no-such-step'
        | 'rollback.not-open'
        | 'rollback.done'
        | 'rollback.running'
        | 'rollback.not-begun';
    })
  /** `earlier` is the step to go back to instead. */
  | (OfRollback & { readonly code: 'rollback.unfinished' | 'rollback.beside'; readonly earlier: string });

export type AmendNote =
  | (ExpectedChanges & {
      readonly code: 'plan.amended';
      /** How much work is stopped first. */ readonly claims: number;
    })
  /** The run has progressed since the changes were shown, so the confirmed changes are outdated. */
  | { readonly code: 'amend.outdated'; readonly shown: ExpectedChanges; readonly actual: ExpectedChanges }
  | AmendRefusal;
