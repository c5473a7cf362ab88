// The facts of a run, in the past tense. A run's events in order are its log, and the log is the only truth (P1).
//
// event/E1. Every event but four fires exactly one transition of the net: `run.started` sets the first marking and fires
//     the start; `task.reset` and `task.rolledBack` set tasks back to a marking that the net can reach, and `plan.amended`
//     sets one of another net; they fire nothing.
// event/E2. An event names tasks and steps as the plan does and never holds an index, so it can be read for years.
// event/E3. Output of a worker is not an event; `result` holds what later steps may refer to.
// event/E4. Steps, checks, merges and resolutions of conflicts have one life, that of a claim: `claim.made`, then any
//     number of `claim.raised`, `claim.preempting`, `claim.cancelling`, then exactly one of `claim.ended`,
//     `claim.returned` (not over: it is claimed again) and `claim.asked` (a person is asked). What the end of a claim
//     means for its task depends on the work and stands in the event.
//
// All else that is known of a type of event (form on disk, transition, stages, label) stands in its row, in `events/`.
import type { Json, Plan } from '../plan/plan.ts';
import type { WorkType } from '../protocol/assignment.ts';
import type { Conflict, Permission, Reason, Remembered, Result, Spend } from '../protocol/result.ts';
import type { SandboxBackend } from '../protocol/sandbox-backend.ts';
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

interface OfClaim extends OfTask {
  readonly work: WorkType;
  /** Undefined for a check and a merge. */
  readonly step: string | undefined;
  /** The fence: no two claims of one kind of work on one task and step have the same. */
  readonly attempt: number;
}

/** Of what is refused or ended for its cost. */
interface OfBudget {
  /** The task or subplan whose ceiling was reached; undefined: the run's. */
  readonly budget?: string | undefined;
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
  /** The commit that all of it starts from; undefined when it works in place. */
  readonly base: string | undefined;
  /** The user, as git knows them: the author of the published commits. */
  readonly author?: Author | undefined;
  /** The trees and the isolation of its sandboxes; undefined when it works in place. */
  readonly sandboxes?: SandboxBackend | undefined;
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

export type ClaimEvent =
  | (OfClaim & {
      readonly type: 'claim.made';
      readonly reserve: Spend;
      /** The agent, where the plan names several. */
      readonly agent?: string | undefined;
      /** Of a merge: the commit that is merged. */
      readonly tip?: string | undefined;
    })
  /** More was spent than was reserved, so that much is reserved. */
  | (OfClaim & { readonly type: 'claim.raised'; readonly reserve: Spend })
  /** To be stopped and claimed again later. */
  | (OfClaim & { readonly type: 'claim.preempting' })
  /** To be stopped for good. */
  | (OfClaim &
      OfBudget & { readonly type: 'claim.cancelling'; readonly reason: Reason; readonly cause: string | undefined })
  /** Not over: goes back to be claimed again. */
  | (OfClaim & {
      readonly type: 'claim.returned';
      readonly reason: Reason;
      /** Whether the attempt counts; a quota or a stop does not use one up. */
      readonly counted: boolean;
      /** Not to be claimed again before this time. */
      readonly until: number;
      readonly spend: Spend;
      /** A pool to close, because its account has no quota left, until `until`; of an overload, one to throttle. */
      readonly pool?: string | undefined;
      readonly conversation?: Remembered | undefined;
      /** The words of the provider that rejected the turn. */
      readonly message?: string | undefined;
      /** Why the result was not taken, or how to go on, for the next attempt. */
      readonly says?: string | undefined;
      /** The work made by then, to go on from. */
      readonly commit?: string | undefined;
    })
  /** The claim is over, and a person is asked: about a step, about a conflict that no agent is to resolve or could. */
  | (OfClaim & {
      readonly type: 'claim.asked';
      readonly reason: Reason | undefined;
      readonly result: Result | undefined;
      readonly spend: Spend;
      /** The agent's question; undefined when the plan asks about the step. */
      readonly question?: string | undefined;
      /** Set when the agent asks for the use of a tool. */
      readonly permission?: Permission | undefined;
      /** When the step fails unless somebody has answered. */
      readonly until?: number | undefined;
      readonly conversation?: Remembered | undefined;
      /** Of a merge. */
      readonly conflict?: Conflict | undefined;
    })
  /** A person's answer about a step, or that none came in time. */
  | (OfClaim & {
      readonly type: 'claim.answered';
      /** Undefined: the step is tried again. */
      readonly ending: Ending | undefined;
      readonly reason: Reason | undefined;
      readonly cause: string | undefined;
      /** The words for the agent that asked. */
      readonly says?: string | undefined;
      /** The decision about the permission that the agent asked for. */
      readonly decision?: Decision | undefined;
    })
  /**
   * Of a step, the step has ended. Of a check or a merge, the task goes on to be merged, goes back to its agent where
   * `redo` says how often it has, goes to its agent with the conflict, or ends as the claim did. Of a resolution, the
   * task is checked and merged again.
   */
  | (OfClaim &
      Ended &
      OfBudget & {
        readonly type: 'claim.ended';
        readonly result: Result | undefined;
        readonly spend: Spend;
        readonly conversation?: Remembered | undefined;
        /** Of a failed check, alone or after merging, that sends the task back to its agent. */
        readonly redo?: number | undefined;
        /** What the check said. */
        readonly says?: string | undefined;
        /** Of a merge. */
        readonly conflict?: Conflict | undefined;
      });

export type RunEvent =
  | RunStarted
  /** `cause` is why nobody had to ask for it. */
  | (At & { readonly type: 'run.paused'; readonly cause?: string | undefined })
  | (At & { readonly type: 'run.resumed' | 'run.ended' })
  /** A coordinator found other trees, or another isolation, than the run had before. */
  | (At & { readonly type: 'run.sandboxed'; readonly sandboxes: SandboxBackend })
  /** The plan is to be another, as soon as nothing is running in these tasks; until then nothing else of them begins. */
  | (At & PlanGiven & { readonly type: 'plan.amending'; readonly tasks: readonly string[] })
  | (At & PlanAmended & { readonly type: 'plan.amended' })
  | (At & { readonly type: 'pool.closed'; readonly pool: string; readonly until: number })
  | (At & { readonly type: 'pool.opened'; readonly pool: string })
  /** So many of its tokens may be held at once, because its provider is overloaded; more again from `until` on. */
  | (At & {
      readonly type: 'pool.throttled' | 'pool.restored';
      readonly pool: string;
      readonly limit: number;
      readonly until: number;
    })
  | (OfTask & { readonly type: 'task.opened' })
  /** Nothing of the task, or of a subplan all inside, is claimed until it is released. */
  | (OfTask & { readonly type: 'task.paused' | 'task.released' })
  /** The task will not be opened. */
  | (OfTask & Ended & { readonly type: 'task.skipped' })
  /** The task waits for its needs and will then be skipped. */
  | (OfTask & { readonly type: 'task.cancelling'; readonly reason: Reason; readonly cause: string | undefined })
  | (OfTask & { readonly type: 'task.repeated'; readonly round: number })
  | (OfTask & { readonly type: 'task.queued' })
  /** No agent can have the conflict, so a person is asked. */
  | (OfTask & OfBudget & { readonly type: 'task.escalated'; readonly reason: Reason })
  /** A person has made it fit, by `commit` or by what it stands on; it is checked and merged again. */
  | (OfTask & { readonly type: 'task.resolved'; readonly commit: string | undefined })
  | (OfTask & Ended & { readonly type: 'task.ended'; readonly result: Result | undefined })
  /** Tasks that had ended, or were about to, and are as if they had not been tried; all that hangs on them is listed. */
  | (At & { readonly type: 'task.reset'; readonly tasks: readonly string[] })
  /** The task is where the step `to` has not begun and those before it have ended; `tasks` are all that go back with it. */
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
