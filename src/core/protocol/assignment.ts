// The assignment of a worker: everything that it needs to execute one claim, fully rendered.
//
// An assignment is made from the log alone, so it is the same after a restart, and it can be sent to another machine.
import type { Usage } from './result.ts';
import type { Agent, JsonSchema, SandboxPlan, TakeRule } from '../plan/plan.ts';

/** The kinds of work. `resolve` is an agent turn on a conflict: an attempt of the step whose agent resolves it. */
export const WORK_TYPES = ['step', 'check', 'merge', 'resolve'] as const;

export type WorkType = (typeof WORK_TYPES)[number];

export const isWorkType = (value: unknown): value is WorkType => WORK_TYPES.some((work) => work === value);

/** Work that a worker process carries out. */
export const WORKER_TYPES: readonly WorkType[] = ['step', 'check', 'resolve'];

/** The identity of a claim. The attempt is its fence: no two claims of one kind of work on one task and step are alike. */
export interface ClaimRef {
  readonly work: WorkType;
  readonly task: string;
  /** Undefined for a check and a merge, which are of the task as a whole. */
  readonly step: string | undefined;
  readonly attempt: number;
}

export const isSameClaim = (one: ClaimRef, other: ClaimRef): boolean =>
  one.work === other.work && one.task === other.task && one.step === other.step && one.attempt === other.attempt;

/** A key for maps, never parsed. Turns on a conflict are attempts of their step, so the step's name is enough. */
export const claimKey = ({ work, task, step, attempt }: ClaimRef): string =>
  `${task}/${step ?? `(${work})`}#${attempt}`;

export type Work =
  /** A shell command; values of the plan reach it only through the environment. */
  | { readonly type: 'command'; readonly command: string; readonly environment: Readonly<Record<string, string>> }
  /** One agent turn. */
  | {
      readonly type: 'turn';
      readonly agent: Agent;
      readonly prompt: string;
      /** The conversation to continue; undefined starts a new one. */
      readonly conversation?: Conversation | undefined;
      /** Tools that the agent may use without a request, as its program names them. */
      readonly allow?: readonly string[] | undefined;
      /** Policy for permission requests not in `allow`; undefined allows everything without asking. */
      readonly permissions?: TurnPermissions | undefined;
      /** The budget of the turn in dollars, for programs that enforce one themselves. */
      readonly ceilingUsd?: number;
      /** Nothing that the turn writes is kept. */
      readonly isReadOnly?: true;
    }
  | MergeWork;

/** The merge of a task's work onto the run branch, for the merge queue of a host. */
export interface MergeWork {
  readonly type: 'merge';
  /** The commit to merge; undefined when the task has made none, and then there is nothing to merge. */
  readonly tip: string | undefined;
  /** The base commit of the run. */
  readonly base: string | undefined;
  /** The latest merge in the log: a run branch without it has lost work of tasks that are done. */
  readonly after?: string | undefined;
  /** When the merge was claimed; dates the merge commit. */
  readonly at: number;
  /** What the task was to do, for the message of the merge commit. */
  readonly intent: string;
  /** The last answer of its agents; empty when no agent worked on it. */
  readonly answer: string;
  /** The agents that worked on it. */
  readonly agents: readonly Pick<Agent, 'use' | 'model'>[];
  readonly take: readonly TakeRule[];
  /**
   * Commands that must pass on the merged tree, each once: the task's check, the check for merges, and the checks of the
   * tasks that it conflicted with.
   */
  readonly checks: readonly string[];
  /** Checks of every task that is done: a remembered resolution of a conflict must pass those of the other side too. */
  readonly checksOfDone: Readonly<Record<string, readonly string[]>>;
  /** The task has conflicted before, so its work shows how that was resolved. */
  readonly hasConflicted: boolean;
}

export interface TurnPermissions {
  /** For undecided requests: refuse, or ask a person, which ends the turn. */
  readonly policy: 'deny' | 'gate';
  /** Keys of requests that a person has allowed, and refused. */
  readonly granted: readonly string[];
  readonly refused: readonly string[];
}

/** The memory of an agent from earlier turns, to continue or to fork. */
export interface Conversation {
  /** The id of the conversation in its program. */
  readonly id: string;
  readonly mode: 'continue' | 'fork';
  /** The task that it was held in, where that is another; its sandbox has the files of the conversation. */
  readonly task?: string | undefined;
  /** It was held on another machine, in this claim: its files are brought into the home of the turn first. */
  readonly carried?: ClaimRef | undefined;
  /** The program's counters at the end of the last turn: some count the whole conversation. */
  readonly reading: Usage | undefined;
}

export interface Limits {
  readonly timeoutMs: number;
  /** The idle timeout of a step. */
  readonly idleTimeoutMs: number;
}

/** The commits from which the sandbox of a task is made. */
export interface SandboxSource {
  /** The base commit of the run. */
  readonly base: string;
  /** Tips of the needed tasks, in the order of the plan. The task starts from their merge onto `base`. */
  readonly needs: readonly string[];
  /** The latest checkpoint of the task, to continue from; undefined when there is none yet. */
  readonly from: string | undefined;
  /** Only for a turn on a conflict: the commit to merge into the tree first, with conflict markers in the files. */
  readonly onto: string | undefined;
  /** A machine that cannot have this tree or this isolation refuses the claim. */
  readonly settings: SandboxPlan;
  /** The sandbox is reset to `from` first; what an attempt left in it is salvaged. */
  readonly isClean?: boolean | undefined;
  /** Files that never conflict when needs are merged. */
  readonly take?: readonly TakeRule[] | undefined;
  /** How often a changed plan restarted the task; leftovers of earlier generations are moved aside. */
  readonly life?: number;
  /** When the claim was made. Commits get this date, so that repeating the work gives the same commit. */
  readonly at: number;
}

export interface Assignment {
  readonly claim: ClaimRef;
  readonly work: Work;
  readonly limits: Limits;
  /** The JSON Schema of structured output, when the step declares one. */
  readonly output: JsonSchema | undefined;
  /** Undefined when the run works in place. */
  readonly sandbox: SandboxSource | undefined;
  /** The span of the claim, for its programs, in the form of the W3C's `traceparent`; only for a host on another machine. */
  readonly traceParent?: string | undefined;
  /**
   * It holds slots of pools: it must have ended on its host when no server of its run has heard that host for this long, because
   * the slots are given away then. Only for a host on another machine.
   */
  readonly leaseMs?: number | undefined;
}
