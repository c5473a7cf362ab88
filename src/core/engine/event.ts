// The facts of a run, in the past tense. A run's events in order are its log, and the log is the only truth (P1).
//
// event/E1. Every event but eight fires exactly one transition of the net: `run.started` sets the first marking and
//     fires the start; `task.reset` and `task.rolledBack` reset tasks to a marking that the net can reach, `task.lost`
//     changes the colour of tokens of ended tasks, `plan.amended` and `plan.grown` set a marking of another net; these
//     five fire nothing. `claim.waiting` and `claim.placed` fire nothing either: the net knows of no machines, so where a
//     claim runs cannot change what may begin.
// event/E2. An event names tasks and steps as the plan does and never holds an index, so it stays readable for years.
// event/E3. Output of a worker is not an event; `result` holds the values that later steps may refer to.
// event/E4. Steps, checks, merges and resolutions of conflicts have one life, that of a claim: `claim.made`, then any
//     number of `claim.waiting`, `claim.placed`, `claim.raised`, `claim.preempting`, `claim.cancelling`, then exactly one of `claim.ended`,
//     `claim.returned` (not over: it is claimed again) and `claim.asked` (a person is asked). The effect of the end on
//     the task depends on the work and is part of the event.
//
// Everything else about a type of event (form on disk, transition, stages, label) is in its row, in `events/`.
import type { Json, Plan } from '../plan/plan.ts';
import type { Fragment } from '../plan/plan-json.ts';
import type { WorkType } from '../protocol/assignment.ts';
import type { Placed, WaitsForHost } from '../protocol/placement.ts';
import type { Conflict, Permission, Reason, Remembered, Result, Spend } from '../protocol/result.ts';
import type { SandboxBackend } from '../protocol/sandbox-backend.ts';
import type { Order, Priorities } from './order.ts';

/** How a task or a step ended. */
export type Ending = 'done' | 'failed' | 'cancelled' | 'skipped';

/** A person's decision on a permission request. */
export interface Decision {
  readonly key: string;
  readonly isAllowed: boolean;
  /** It applies to all later turns of the task; else until the step has ended. */
  readonly isForTask: boolean;
}

interface At {
  /** Milliseconds since the epoch, by the coordinator's clock. */
  readonly at: number;
}
interface OfTask extends At {
  readonly task: string;
}
interface OfStep extends OfTask {
  readonly step: string;
}

interface OfClaim extends OfTask {
  readonly work: WorkType;
  /** Undefined for a check and a merge. */
  readonly step: string | undefined;
  /** The fence: unique among the claims for one kind of work on one task and step. */
  readonly attempt: number;
}

/** For work refused or ended for its cost. */
interface OfBudget {
  /** The task or subplan whose ceiling was reached; undefined: the run's. */
  readonly budget?: string | undefined;
}

export interface Ended {
  readonly ending: Ending;
  readonly reason: Reason | undefined;
  /** The task that caused the ending, if another. */
  readonly cause: string | undefined;
}

/** The plan of a run: everything that a state is made with comes from here, never from a file or another run (P1). */
export interface PlanGiven {
  /** The whole plan, with every setting. */
  readonly plan: Plan;
  /** Computed when the plan was submitted, from estimates and earlier runs. */
  readonly priorities: Priorities;
}

/** A person's words for the next attempt at some tasks. */
export interface RetryText {
  readonly tasks: readonly string[];
  readonly text: string;
}

/** A person as a commit names them. */
export interface Author {
  readonly name: string;
  readonly email: string;
}

/** The first event of every log. */
export interface RunStarted extends At, PlanGiven {
  readonly type: 'run.started';
  readonly policy: Order['policy'];
  readonly inputs: Readonly<Record<string, Json>>;
  readonly seed: number;
  /** The commit that the run starts from; undefined when it works in place. */
  readonly base: string | undefined;
  /** The user, as git knows them: the author of the published commits. */
  readonly author?: Author | undefined;
  /** The trees and the isolation of its sandboxes; undefined when it works in place. */
  readonly sandboxes?: SandboxBackend | undefined;
}

/** From here on the run has another plan. Tasks of both plans that are not listed keep their state. */
export interface PlanAmended extends PlanGiven {
  /** Tasks that had begun or ended and restart. */
  readonly restarted: readonly string[];
  /** Tasks that had not begun and have a new identity. */
  readonly changed: readonly string[];
  /** Subplans that had ended and are open again. */
  readonly reopened: readonly string[];
  readonly added: readonly string[];
  /** Tasks that the new plan lacks. */
  readonly cancelled: readonly string[];
  /** The restarted tasks that are ended again, because their earlier reason still holds. */
  readonly again: readonly EndedAgain[];
}

/** The subplan around the draft has these tasks in addition; every other task keeps its state. */
export interface PlanGrown {
  /** The task whose answer the fragment is. */
  readonly draft: string;
  readonly fragment: Fragment;
  /** Of the steps of the added tasks. */
  readonly priorities: Priorities;
}

export interface EndedAgain {
  readonly task: string;
  readonly reason: Reason;
  readonly cause: string | undefined;
}

export interface LostTask {
  readonly task: string;
  /** The lost task because of which this one is lost; undefined where its own commits are gone. */
  readonly cause: string | undefined;
}

export type ClaimEvent =
  | (OfClaim & {
      readonly type: 'claim.made';
      readonly reserve: Spend;
      /** The agent, where the plan names several for the step. */
      readonly agent?: string | undefined;
      /** For a merge: the commit to merge. */
      readonly tip?: string | undefined;
    })
  /** No host that is here can take the claim. */
  | (OfClaim & { readonly type: 'claim.waiting'; readonly why: WaitsForHost })
  /** Where the claim runs: at most once for each claim. */
  | (OfClaim & Placed & { readonly type: 'claim.placed' })
  /** More was spent than reserved, so the reservation is raised. */
  | (OfClaim & { readonly type: 'claim.raised'; readonly reserve: Spend })
  /** Being stopped, to be claimed again later. */
  | (OfClaim & { readonly type: 'claim.preempting' })
  /** Being stopped for good. */
  | (OfClaim &
      OfBudget & { readonly type: 'claim.cancelling'; readonly reason: Reason; readonly cause: string | undefined })
  /** Not over: to be claimed again. */
  | (OfClaim & {
      readonly type: 'claim.returned';
      readonly reason: Reason;
      /** Whether the attempt counts; one that ends by quota or by a stop does not. */
      readonly counted: boolean;
      /** The end of the backoff. */
      readonly until: number;
      readonly spend: Spend;
      /** After an exhausted quota, the pool to close until `until`; after an overload, the pool to throttle. */
      readonly pool?: string | undefined;
      readonly conversation?: Remembered | undefined;
      /** The provider's message when it rejected the turn; why the host could not run the claim. */
      readonly message?: string | undefined;
      /** The host that could not run the claim, which is for another one. */
      readonly unbegunOn?: string | undefined;
      /** Why the result was not accepted, or how to continue, for the next attempt. */
      readonly says?: string | undefined;
      /** The work so far, to continue from. */
      readonly commit?: string | undefined;
    })
  /** The claim is over and a person is asked: about a step, or about a conflict that no agent may or could resolve. */
  | (OfClaim & {
      readonly type: 'claim.asked';
      readonly reason: Reason | undefined;
      readonly result: Result | undefined;
      readonly spend: Spend;
      /** The agent's question; undefined when the plan asks about the step. */
      readonly question?: string | undefined;
      /** Set when the agent asks for permission to use a tool. */
      readonly permission?: Permission | undefined;
      /** When the step fails without an answer. */
      readonly until?: number | undefined;
      readonly conversation?: Remembered | undefined;
      /** For a merge. */
      readonly conflict?: Conflict | undefined;
    })
  /** A person's answer about a step, or its timeout. */
  | (OfClaim & {
      readonly type: 'claim.answered';
      /** Undefined: the step is retried. */
      readonly ending: Ending | undefined;
      readonly reason: Reason | undefined;
      readonly cause: string | undefined;
      /** The answer for the agent that asked. */
      readonly says?: string | undefined;
      /** The decision about the permission that the agent asked for. */
      readonly decision?: Decision | undefined;
    })
  /**
   * For a step, the step has ended. For a check or a merge, the task goes on to be merged, goes back to its agent
   * (`redo` counts how often), goes to its agent with the conflict, or ends like the claim. For a resolution, the task
   * is checked and merged again.
   */
  | (OfClaim &
      Ended &
      OfBudget & {
        readonly type: 'claim.ended';
        readonly result: Result | undefined;
        readonly spend: Spend;
        readonly conversation?: Remembered | undefined;
        /** For a failed check, alone or after merging, that sends the task back to its agent. */
        readonly redo?: number | undefined;
        /** The output of the check. */
        readonly says?: string | undefined;
        /** For a merge. */
        readonly conflict?: Conflict | undefined;
      });

/** One event of a log. The log is the only input of `fold`. */
export type RunEvent =
  | RunStarted
  /** `cause` is set when the run paused itself. */
  | (At & { readonly type: 'run.paused'; readonly cause?: string | undefined })
  | (At & { readonly type: 'run.resumed' | 'run.ended' })
  /** A coordinator found other sandbox trees, or another isolation, than the run had before. */
  | (At & { readonly type: 'run.sandboxed'; readonly sandboxes: SandboxBackend })
  /** The plan will be amended once nothing is running in these tasks; until then nothing in them begins. */
  | (At & PlanGiven & { readonly type: 'plan.amending'; readonly tasks: readonly string[] })
  | (At & PlanAmended & { readonly type: 'plan.amended' })
  | (At & PlanGrown & { readonly type: 'plan.grown' })
  | (At & { readonly type: 'pool.closed'; readonly pool: string; readonly until: number })
  | (At & { readonly type: 'pool.opened'; readonly pool: string })
  /** The pool's effective limit, because its provider is overloaded; raised again from `until` on. */
  | (At & {
      readonly type: 'pool.throttled' | 'pool.restored';
      readonly pool: string;
      readonly limit: number;
      readonly until: number;
    })
  | (OfTask & { readonly type: 'task.opened' })
  /** Nothing of the task, or inside the subplan, is claimed until it is released. */
  | (OfTask & { readonly type: 'task.paused' | 'task.released' })
  /** The task will not be opened. */
  | (OfTask & Ended & { readonly type: 'task.skipped' })
  /** The task waits for its needs and will then be skipped. */
  | (OfTask & { readonly type: 'task.cancelling'; readonly reason: Reason; readonly cause: string | undefined })
  /** `says` sends the task back to its last agent turn, like a failed check. */
  | (OfTask & { readonly type: 'task.repeated'; readonly round: number; readonly says?: string | undefined })
  | (OfTask & { readonly type: 'task.queued' })
  /** No agent can resolve the conflict, so a person is asked. */
  | (OfTask & OfBudget & { readonly type: 'task.escalated'; readonly reason: Reason })
  /** A person resolved the conflict, with `commit` or with the work as it is; the task is checked and merged again. */
  | (OfTask & { readonly type: 'task.resolved'; readonly commit: string | undefined })
  | (OfTask & Ended & { readonly type: 'task.ended'; readonly result: Result | undefined })
  /** A person is asked about a join. */
  | (OfTask & { readonly type: 'task.gated'; readonly result: Result })
  /**
   * Tasks that had ended, or were being cancelled, and a join that tries its needs again, are reset as if never begun;
   * all affected tasks are listed.
   */
  | (At & {
      readonly type: 'task.reset';
      readonly tasks: readonly string[];
      /** The join whose `on_result` runs its failed needs again; undefined when a person retries. */
      readonly join?: string | undefined;
      /** The tasks among these that are ended again, because their earlier reason still holds. */
      readonly again?: readonly EndedAgain[] | undefined;
      /** What the person who retries tells the agents of these tasks. */
      readonly told?: RetryText | undefined;
    })
  /**
   * Commits of tasks that were done are gone from the run branch: these tasks, the tasks that ended well on top of them
   * and the subplans around them have failed. `merged` is the latest merge that is left.
   */
  | (At & { readonly type: 'task.lost'; readonly tasks: readonly LostTask[]; readonly merged: string | undefined })
  /** The task is rolled back to before its step `to`; `tasks` are all tasks that go back with it. */
  | (OfTask & { readonly type: 'task.rolledBack'; readonly to: string; readonly tasks: readonly string[] })
  /** The step has ended without a claim. */
  | (OfStep & Ended & OfBudget & { readonly type: 'step.skipped' })
  /** A join is made; it has failed where `on_result` or an expression says so. */
  | (OfStep & Ended & { readonly type: 'step.joined'; readonly result: Result })
  /** A person is asked about a join. */
  | (OfStep & { readonly type: 'step.gated'; readonly attempt: number; readonly result: Result })
  /** The steps of a join run again, because `on_result` says so. */
  | (OfStep & { readonly type: 'step.rejoined'; readonly attempt: number })
  | ClaimEvent;
