// What must hold in every world. An invariant watches the log, the truth about workers and what is said between
// coordinator and host, and says in a sentence what is broken.
import type { Compiled } from '../../src/core/compile/compiled.ts';
import { claimKey } from '../../src/core/protocol/assignment.ts';
import type { ClaimRef } from '../../src/core/protocol/assignment.ts';
import type { ClaimEvent, RunEvent } from '../../src/core/engine/event.ts';
import type { Order } from '../../src/core/engine/order.ts';
import { nameClaim } from '../../src/core/engine/facts.ts';
import type { Claim, State } from '../../src/core/engine/state.ts';
import type { RefusedReport } from '../../src/core/protocol/placement.ts';
import type { Reply, Sync } from '../../src/core/protocol/sync.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import type { LoopAmended } from '../../src/shell/loop/loop.ts';
import type { RunOver } from '../../src/shell/ports/log.ts';
import type { Trial } from '../trial.ts';
import type { Counts } from '../world/counts.ts';
import type { AnswerTo } from '../world/disk.ts';
import type { Repository } from '../world/simulated-repository.ts';
import type { Worker } from '../world/worker.ts';

/** What invariants may look at. */
export interface Sight {
  readonly trial: Trial;
  /** The plan as it stands in what is durable. */
  readonly compiled: Compiled;
  /** The plan that the run was started with. */
  readonly started: Compiled;
  readonly order: Order;
  /** Folded from what is durable, whatever the coordinator believes. */
  readonly state: () => State;
  /** What is durable. */
  readonly events: () => readonly RunEvent[];
  /** The truth: every worker that was ever started on any machine, by claim. */
  readonly workers: ReadonlyMap<string, Worker>;
  /** The truth: commits that are on the server. */
  readonly delivered: ReadonlySet<string>;
  /** The truth: what is on the run branch. */
  readonly repository: Repository;
  readonly counts: Counts;
  readonly now: () => number;
  readonly talk: Talk;
}

/** What the coordinator that is up has received. */
export interface Talk {
  readonly hosts: Map<string, HostTalk>;
  /** When that coordinator started: a host that it has not heard of is silent since then. */
  startedAt: number;
  mayHaveCommands: boolean;
}

/** What it has received of one host, and sent to it. */
export interface HostTalk {
  readonly latest: Sync;
  readonly heardAt: number;
  readonly isAnswered: boolean;
  /** Claims that the reply to that message has given. */
  readonly given: readonly ClaimRef[];
}

/** Each is called when it happens; an invariant listens to what it needs. */
export interface Hooks {
  /** Messages that the coordinator has taken, before anything follows from them. */
  readonly heard?: (syncs: readonly Sync[], mayHaveCommands: boolean) => void;
  /** Before the events of an append: which commands they heed. */
  readonly handled?: (answers: readonly AnswerTo[]) => void;
  /** Before and after an event that has become durable is applied. */
  readonly before?: (event: RunEvent) => void;
  readonly after?: (event: RunEvent) => void;
  /** After all events of an append. */
  readonly appended?: (events: readonly RunEvent[], answers: readonly AnswerTo[]) => void;
  /** The coordinator's own state, after an append. */
  readonly decided?: (state: State) => void;
  readonly replied?: (reply: Reply, host: string) => void;
  /** The coordinator has done all it could and waits for mail. */
  readonly waits?: (commandsLeft: number) => void;
  /** `isLate` when its machine stood still since it was told to. */
  readonly starts?: (claim: ClaimRef, isLate: boolean) => void;
  readonly started?: (worker: Worker) => void;
  /** A worker whose machine stood still is at work again. */
  readonly goesOn?: (worker: Worker) => void;
  /** The host has heard that these outcomes were heard. */
  readonly acknowledged?: (outcomes: readonly WorkOutcome[]) => void;
  readonly left?: (over: RunOver | LoopAmended | 'crashed' | 'asleep') => void;
  /** Reports of hosts on claims that they do not hold. */
  readonly refused?: (refused: readonly RefusedReport[]) => void;
  readonly over?: () => void;
}

export interface Invariant {
  readonly name: string;
  readonly watch: (sight: Sight, broken: (message: string) => never) => Hooks;
}

export const refOf = (sight: Sight, claim: Claim): ClaimRef => nameClaim(sight.state(), claim);

/** Claims of workers as far as is durable, by name. */
export const claimsOf = (sight: Sight): ReadonlyMap<string, Claim> => claimsBy(sight, ({ work }) => work !== 'merge');

/** Merges as far as is durable, by name. */
export const mergesOf = (sight: Sight): ReadonlyMap<string, Claim> => claimsBy(sight, ({ work }) => work === 'merge');

function claimsBy(sight: Sight, isOne: (claim: Claim) => boolean): ReadonlyMap<string, Claim> {
  const claims = [...sight.state().claims.values()].filter(isOne);
  return new Map(claims.map((claim) => [claimKey(refOf(sight, claim)), claim]));
}

/** Whether it is on a machine that is not the coordinator's. */
export const isFar = ({ trial }: Sight, host: string): boolean => trial.fleet.some(({ name }) => name === host);

/** At work on a machine that was given up: the log has given its claim back, and there is nobody to end it. */
export const isForsaken = (sight: Sight, worker: Worker): boolean =>
  isFar(sight, worker.host) && !claimsOf(sight).has(worker.key);

/** When the coordinator last heard a host; one that it has not heard is silent since the coordinator started. */
export const heardAt = ({ talk }: Sight, host: string): number => talk.hosts.get(host)?.heardAt ?? talk.startedAt;

export const isToEnd = ({ cancelling, preempting }: Claim): boolean => cancelling !== undefined || preempting;

/** Whether a task is the one named, or stands inside it. */
export const isInside = (task: string, name: string): boolean => task === name || task.startsWith(`${name}.`);

/** The claim of a worker that an event is about, as it stands in the log so far. */
export function claimAbout(sight: Sight, event: RunEvent): Claim | undefined {
  if (!('work' in event) || event.work === 'merge') return undefined;
  const task = sight.compiled.tasks[sight.compiled.indexOf.get(event.task) ?? -1];
  const { claims } = sight.state();
  if (event.work === 'resolve') return claims.get(task?.places.resolving ?? -1);
  if (event.work === 'check') return claims.get(task?.places.checking ?? -1);
  const step = task?.steps.find((each) => each.step.id === event.step);
  // Of the variants of the step, the one that is claimed.
  const variants = step === undefined ? [] : [step, ...step.otherVariants];
  return variants.map(({ working }) => claims.get(working ?? -1)).find((claim) => claim !== undefined);
}

/** An event of an attempt of a step; an agent's turn on a conflict is one besides. */
export type OfStep = ClaimEvent & { readonly step: string };

export const isOfStep = (event: RunEvent): event is OfStep => 'work' in event && event.step !== undefined;

/** Tasks that an event sets back to where they had not begun, or takes away. */
export function setBackBy(event: RunEvent): readonly string[] {
  if (event.type === 'task.reset' || event.type === 'task.rolledBack') return event.tasks;
  return event.type === 'plan.amended' ? [...event.restarted, ...event.changed, ...event.cancelled] : [];
}

/** Whether another plan holds from this event on. */
export const changesPlan = ({ type }: RunEvent): boolean => type === 'plan.amended' || type === 'plan.grown';

/** Whether an event takes a claim of a step, a check or a resolution away. */
export const isSettling = (event: RunEvent): boolean =>
  (event.type === 'claim.ended' || event.type === 'claim.returned' || event.type === 'claim.asked') &&
  event.work !== 'merge';

/** Whether a failed check sends the task back to its agent, so that steps that have ended run again. */
export const isSentBack = (event: RunEvent): event is Extract<RunEvent, { type: 'claim.ended' }> =>
  event.type === 'claim.ended' && event.redo !== undefined;
