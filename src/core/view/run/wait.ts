// What a task may wait for. Each wait says who waits: the task itself, a subplan around it, or one of its steps.
import type { OpenQuestion } from './open-question.ts';
import type { Stage } from '../../engine/events/event-fields.ts';
import type { TaskState } from './stage.ts';
import type { AtWork } from './status.ts';

/** A task that must end first. */
export interface Awaited {
  readonly task: string;
  readonly state: TaskState;
  readonly stage: Stage;
  /** When it is expected to end. */
  readonly expectedAt: number | undefined;
}

/** Something at work that holds tokens or money. */
export interface Holder extends AtWork {
  /** How many tokens, dollars or tokens of an agent. */
  readonly holds: number;
  readonly expectedAt: number | undefined;
}

export type Resource =
  /** `task` is the subplan whose cap it is; undefined for that of the run. */
  | { readonly type: 'cap'; readonly task: string | undefined }
  | { readonly type: 'pool'; readonly pool: string }
  | { readonly type: 'lane' };

export type Wait = { readonly who: string } & (
  | {
      readonly type: 'needs';
      /** How many more of them must end well. */
      readonly needed: number;
      readonly of: readonly Awaited[];
      /** Those that ended neither well nor skipped. */
      readonly bad: readonly string[];
      /** Too many of them did, so it will not run. */
      readonly isLost: boolean;
    }
  /** A subplan ends when all in it have. */
  | { readonly type: 'inside'; readonly of: readonly Awaited[] }
  /** It begins when the subplan around it opens. */
  | { readonly type: 'subplan'; readonly task: string }
  /** Earlier steps of the same task. */
  | { readonly type: 'steps'; readonly of: readonly string[] }
  | {
      readonly type: 'tokens';
      readonly of: Resource;
      readonly wanted: number;
      readonly free: number;
      readonly holders: readonly Holder[];
    }
  | { readonly type: 'closed'; readonly pool: string; readonly until: number | undefined }
  | { readonly type: 'paused' }
  /** A person holds this task, which is it or around it. */
  | { readonly type: 'held'; readonly task: string }
  | { readonly type: 'rest'; readonly until: number }
  | {
      readonly type: 'budget';
      /** Whose budget; undefined for that of the run. */
      readonly task: string | undefined;
      readonly part: 'usd' | 'tokens';
      readonly ceiling: number;
      readonly spent: number;
      readonly reserved: number;
      readonly wanted: number;
      readonly holders: readonly Holder[];
    }
  | { readonly type: 'answer'; readonly question: OpenQuestion }
  /** Others go first: one at a time, by the order of the plan, or because they were passed over too often. */
  | { readonly type: 'turn'; readonly why: 'serial' | 'order' | 'kept'; readonly of: readonly string[] }
  /** Nothing keeps it; the coordinator starts it on its next turn. */
  | { readonly type: 'nothing' }
);
