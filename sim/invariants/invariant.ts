// What must hold in every world. An invariant watches the log, the truth about workers and what is said between
// coordinator and host, and says in a sentence what is broken.
import type { Compiled } from '../../src/core/compile/compiled.ts';
import { claimKey } from '../../src/core/protocol/assignment.ts';
import type { ClaimRef } from '../../src/core/protocol/assignment.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { Order } from '../../src/core/engine/order.ts';
import type { Claim, State } from '../../src/core/engine/state.ts';
import type { Reply, Sync } from '../../src/core/protocol/sync.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import type { Amended, RunOver } from '../../src/shell/run.ts';
import type { Trial } from '../trial.ts';
import type { Counts } from '../world/counts.ts';
import type { AnswerTo } from '../world/disk.ts';
import type { Repository } from '../merge/repository.ts';
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
  /** The truth: every worker that was ever started, by claim. */
  readonly workers: ReadonlyMap<string, Worker>;
  /** The truth: what is on the run branch. */
  readonly repository: Repository;
  readonly counts: Counts;
  readonly now: () => number;
  readonly talk: Talk;
}

/** What the coordinator that is up has heard of its host, and said to it. */
export interface Talk {
  latest: Sync | undefined;
  heardAt: number | undefined;
  isAnswered: boolean;
  mayHaveCommands: boolean;
}

/** Each is called when it happens; an invariant listens to what it needs. */
export interface Hooks {
  /** Before the events of an append: which commands they heed. */
  readonly heeded?: (answers: readonly AnswerTo[]) => void;
  /** Before and after an event that has become durable is applied. */
  readonly before?: (event: RunEvent) => void;
  readonly after?: (event: RunEvent) => void;
  /** After all events of an append. */
  readonly appended?: (events: readonly RunEvent[], answers: readonly AnswerTo[]) => void;
  /** The coordinator's own state, after an append. */
  readonly decided?: (state: State) => void;
  readonly replied?: (reply: Reply) => void;
  /** The coordinator has done all it could and waits for mail. */
  readonly waits?: (commandsLeft: number) => void;
  readonly starts?: (claim: ClaimRef) => void;
  readonly started?: (worker: Worker) => void;
  /** The host has heard that these outcomes were heard. */
  readonly acknowledged?: (outcomes: readonly WorkOutcome[]) => void;
  readonly left?: (over: RunOver | Amended | 'crashed' | 'asleep') => void;
  readonly over?: () => void;
}

export interface Invariant {
  readonly name: string;
  readonly watch: (sight: Sight, broken: (message: string) => never) => Hooks;
}

export const refOf = ({ compiled }: Sight, { task: index, step, attempt }: Claim): ClaimRef => {
  const task = compiled.tasks[index];
  return { task: task?.task.path ?? '', step: step === undefined ? undefined : task?.steps[step]?.step.id, attempt };
};

/** What is at work as far as is durable, by name; merges are not a host's business. */
export function claimsOf(sight: Sight): ReadonlyMap<string, Claim> {
  const claims = [...sight.state().claims.values()].filter(({ type }) => type !== 'merge');
  return new Map(claims.map((claim) => [claimKey(refOf(sight, claim)), claim]));
}

export const isToEnd = ({ condemned, recalled }: Claim): boolean => condemned !== undefined || recalled;

/** Whether a task is the one named, or stands inside it. */
export const isInside = (task: string, name: string): boolean => task === name || task.startsWith(`${name}.`);

/** The claim that an event is about, as it stands in the log so far. */
export function claimAbout(sight: Sight, event: RunEvent): Claim | undefined {
  if (!('task' in event)) return undefined;
  const task = sight.compiled.tasks[sight.compiled.indexOf.get(event.task) ?? -1];
  const { claims } = sight.state();
  if (event.type.startsWith('resolve.')) return claims.get(task?.places.resolving ?? -1);
  const step = 'step' in event ? task?.steps.find((each) => each.step.id === event.step) : undefined;
  if (!('step' in event)) return claims.get(task?.places.checking ?? -1);
  // Whoever has it, of those that it may be in the hands of.
  const variants = step === undefined ? [] : [step, ...step.otherVariants];
  return variants.map(({ working }) => claims.get(working ?? -1)).find((claim) => claim !== undefined);
}

/** An agent's turn on a conflict as what it is besides: an attempt of the step whose agent has it. */
export function asOfStep({ compiled }: Sight, event: RunEvent): Extract<RunEvent, { step: string }> | undefined {
  if ('step' in event) return event;
  if (!('task' in event)) return undefined;
  const { steps, resolver } = compiled.tasks[compiled.indexOf.get(event.task) ?? -1] ?? {};
  const step = steps?.[resolver ?? -1]?.step.id ?? '';
  switch (event.type) {
    case 'resolve.claimed':
      return { ...event, type: 'step.claimed', step };
    case 'resolve.raised':
      return { ...event, type: 'step.raised', step };
    case 'resolve.ended':
      return { ...event, type: 'step.ended', step };
    case 'resolve.returned':
      return { ...event, type: 'step.returned', step };
  }
  return undefined;
}

/** Tasks that an event sets back to where they had not begun, or takes away. */
export function setBackBy(event: RunEvent): readonly string[] {
  if (event.type === 'tasks.revived' || event.type === 'task.rolledBack') return event.tasks;
  return event.type === 'plan.amended' ? [...event.restarted, ...event.changed, ...event.cancelled] : [];
}

const SETTLING: ReadonlySet<RunEvent['type']> = new Set([
  'step.ended',
  'step.returned',
  'step.asked',
  'check.passed',
  'check.failed',
  'check.returned',
  'resolve.ended',
  'resolve.returned',
  'task.ended',
]);

/** Whether an event takes a claim of a step or a check away. */
export const isSettling = ({ type }: RunEvent): boolean => SETTLING.has(type);
