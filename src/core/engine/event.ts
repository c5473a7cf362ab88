// The facts of a run, in the past tense. A run's events in order are its log, and the log is the only truth (P1).
//
// E1. Every event but four fires exactly one transition of the net: `run.started` sets the first marking and fires the
//     start; `tasks.revived` and `task.rolledBack` set tasks back to a marking that the net can reach, and `plan.amended`
//     sets one of another net; they fire nothing.
// E2. An event names tasks and steps as the plan does and never holds an index, so it can be read for years.
// E3. Output of a worker is not an event; `result` holds what later steps may refer to.
import type { Json, Plan } from '../plan/plan.ts';
import type { Conflict, Permission, Reason, Remembered, Result, Spend } from '../protocol/result.ts';
import type { Order, Priorities } from './order.ts';

/** How a task or a step ended. */
export type Ending = 'done' | 'failed' | 'cancelled' | 'skipped';

/** What a person said to that. */
export interface Decision {
  readonly key: string;
  readonly isAllowed: boolean;
  /** It holds for all later turns of the task; else until the step has ended. */
  readonly isForTask: boolean;
}

interface At {
  /** Milliseconds since the epoch, as the coordinator's clock said. */
  readonly at: number;
}
interface OfTask extends At {
  readonly task: string;
}
interface OfStep extends OfTask {
  readonly step: string;
}

export interface Ended {
  readonly ending: Ending;
  readonly reason: Reason | undefined;
  /** The task that caused it, when it was another. */
  readonly cause: string | undefined;
}

/** A plan that a run goes by: all that a state is made with comes from here, never from a file or another run (P1). */
export interface PlanGiven {
  /** All of it, every setting in it. */
  readonly plan: Plan;
  /** Computed when the plan was given, from estimates and earlier runs. */
  readonly priorities: Priorities;
}

/** The first event of every log. */
export interface RunStarted extends At, PlanGiven {
  readonly type: 'run.started';
  readonly policy: Order['policy'];
  readonly inputs: Readonly<Record<string, Json>>;
  readonly seed: number;
  /** The commit that all of it starts from; undefined when it works in place. */
  readonly base: string | undefined;
}

/** From here on the run carries out another plan. Tasks of both plans that are not listed stand as they stood. */
export interface PlanAmended extends PlanGiven {
  /** They had begun, or ended, and begin anew. */
  readonly restarted: readonly string[];
  /** They had not begun, and are defined anew. */
  readonly changed: readonly string[];
  /** Subplans that had ended and are open again. */
  readonly reopened: readonly string[];
  readonly added: readonly string[];
  /** The plan does not have them any more. */
  readonly cancelled: readonly string[];
  /** Of those that begin anew: which are ended again, for a reason that still holds. */
  readonly again: readonly EndedAgain[];
}

export interface EndedAgain {
  readonly task: string;
  readonly reason: Reason;
  readonly cause: string | undefined;
}

interface Returned {
  readonly reason: Reason;
  /** Whether the attempt counts; a quota or a stop does not use one up. */
  readonly counted: boolean;
  /** Not to be claimed again before this time. */
  readonly until: number;
  readonly spend: Spend;
  /** A pool to close, because its account has no quota left, until `until`; of an overload, one to narrow. */
  readonly pool: string | undefined;
  readonly conversation?: Remembered | undefined;
}

export type RunEvent =
  | RunStarted
  /** `cause` is why nobody had to ask for it. */
  | (At & { readonly type: 'run.paused'; readonly cause?: string | undefined })
  | (At & { readonly type: 'run.resumed' | 'run.ended' })
  /** Tasks that had ended, or were about to, and are as if they had not been tried; all that hangs on them is listed. */
  | (At & { readonly type: 'tasks.revived'; readonly tasks: readonly string[] })
  /** The plan is to be another, as soon as nothing is at work in these tasks; until then nothing else of them begins. */
  | (At & PlanGiven & { readonly type: 'amendment.accepted'; readonly tasks: readonly string[] })
  | (At & PlanAmended & { readonly type: 'plan.amended' })
  /** The task is where the step `to` has not begun and those before it have ended; `tasks` are all that go back with it. */
  | (OfTask & { readonly type: 'task.rolledBack'; readonly to: string; readonly tasks: readonly string[] })
  | (At & { readonly type: 'pool.closed'; readonly pool: string; readonly until: number })
  | (At & { readonly type: 'pool.opened'; readonly pool: string })
  /** So many of its tokens may be held at once, because its provider is overloaded; wider again from `until` on. */
  | (At & {
      readonly type: 'pool.narrowed' | 'pool.widened';
      readonly pool: string;
      readonly width: number;
      readonly until: number;
    })
  | (OfTask & { readonly type: 'task.opened' })
  /** Nothing of it, or of a subplan all inside, is claimed until it is released. */
  | (OfTask & { readonly type: 'task.held' | 'task.released' })
  | (OfTask & Ended & { readonly type: 'task.dropped' })
  | (OfTask & { readonly type: 'task.condemned'; readonly reason: Reason; readonly cause: string | undefined })
  | (OfTask & { readonly type: 'task.repeated'; readonly round: number })
  | (OfTask & { readonly type: 'task.queued' })
  | (OfTask & { readonly type: 'task.requeued' })
  /** `tip` is what is merged. */
  | (OfTask & { readonly type: 'task.merging'; readonly tip: string | undefined })
  | (OfTask & Conflict & { readonly type: 'task.conflicted'; /** A person, not its agent. */ readonly asks: boolean })
  /** A person has made it fit, by `commit` or by what it stands on; it is checked and merged again. */
  | (OfTask & { readonly type: 'task.resolved'; readonly commit: string | undefined })
  | (OfTask & Ended & { readonly type: 'task.ended'; readonly result: Result | undefined })
  | (OfTask & { readonly type: 'check.claimed' | 'check.passed' })
  | (OfTask & { readonly type: 'check.failed'; readonly redo: number; readonly tail: string })
  /** It did not come to its end and is to be done again; a lost one is counted, one that was stopped is not. */
  | (OfTask & { readonly type: 'check.returned'; readonly reason: Reason; readonly counted: boolean })
  /** It is to be stopped and done again later. */
  | (OfTask & { readonly type: 'check.recalled' })
  | (OfTask & { readonly type: 'check.condemned'; readonly reason: Reason; readonly cause: string | undefined })
  | (OfTask & { readonly type: 'merge.condemned'; readonly reason: Reason; readonly cause: string | undefined })
  /** What it was merged to did not pass its check, so it goes back to its agent. */
  | (OfTask & { readonly type: 'merge.failed'; readonly redo: number; readonly tail: string })
  /** An agent's turn on a conflict. It is an attempt of the step whose agent has it, and counts among its attempts. */
  | (OfTask & {
      readonly type: 'resolve.claimed';
      /** The step whose agent has it. */
      readonly by: string;
      readonly attempt: number;
      readonly reserve: Spend;
    })
  /** When it failed, a person is asked. */
  | (OfTask &
      Ended & {
        readonly type: 'resolve.ended';
        readonly result: Result | undefined;
        readonly spend: Spend;
        readonly conversation?: Remembered | undefined;
      })
  | (OfTask &
      Returned & {
        readonly type: 'resolve.returned';
        /** Why what it came to was not taken, for the next turn. */
        readonly says: string | undefined;
      })
  | (OfTask & { readonly type: 'resolve.recalled'; readonly attempt: number })
  | (OfTask & { readonly type: 'resolve.raised'; readonly attempt: number; readonly reserve: Spend })
  | (OfTask & { readonly type: 'resolve.condemned'; readonly reason: Reason; readonly cause: string | undefined })
  /** It will never be claimed, so a person is asked. */
  | (OfTask & { readonly type: 'resolve.dropped'; readonly reason: Reason })
  | (OfStep & {
      readonly type: 'step.claimed';
      readonly attempt: number;
      readonly reserve: Spend;
      /** Who has it, where the plan names several. */
      readonly agent?: string | undefined;
    })
  | (OfStep &
      Ended & {
        readonly type: 'step.ended';
        readonly result: Result | undefined;
        readonly spend: Spend;
        readonly conversation?: Remembered | undefined;
      })
  | (OfStep &
      Returned & {
        readonly type: 'step.returned';
        /** What is wrong with its answer, for the next turn. */
        readonly says?: string | undefined;
        /** What it had made by then, to go on from. */
        readonly commit?: string | undefined;
      })
  /** It is to be stopped and claimed again later. */
  | (OfStep & { readonly type: 'step.recalled'; readonly attempt: number })
  /** It has spent more than was reserved for it, so that much is reserved. */
  | (OfStep & { readonly type: 'step.raised'; readonly attempt: number; readonly reserve: Spend })
  | (OfStep & { readonly type: 'step.condemned'; readonly reason: Reason; readonly cause: string | undefined })
  | (OfStep & Ended & { readonly type: 'step.dropped' })
  | (OfStep & { readonly type: 'step.joined'; readonly result: Result })
  | (OfStep & {
      readonly type: 'step.asked';
      readonly result: Result | undefined;
      readonly spend: Spend;
      /** What its agent wants to know; undefined when the plan asks about the step. */
      readonly question?: string | undefined;
      /** Set when what it wants is leave to use a tool. */
      readonly permission?: Permission | undefined;
      /** When it fails unless somebody has answered. */
      readonly until?: number | undefined;
      readonly conversation?: Remembered | undefined;
    })
  | (OfStep & Ended & { readonly type: 'step.answered' })
  | (OfStep & {
      readonly type: 'step.retried';
      /** What its agent is told, who asked. */
      readonly says?: string | undefined;
      /** What was decided about the permission that it asked for. */
      readonly decision?: Decision | undefined;
    });
