// Shared by the tables of events: the readers of fields, and the stages and labels of a row.
import {
  isObject,
  json,
  listOf,
  maybe,
  number,
  object,
  oneOf,
  text,
  truth,
  WRONG,
  type Field,
} from '../../plan/json-fields.ts';
import { planField } from '../../plan/plan-json.ts';
import type { Json } from '../../plan/plan.ts';
import { isReason, type Reason, type Result, type Spend } from '../../protocol/result.ts';
import { ISOLATION_REASONS, type IsolationReason, type SandboxBackend } from '../../protocol/sandbox-backend.ts';
import type { Decision, Ended, Ending } from '../event.ts';
import type { Priorities, StepName } from '../order.ts';

/** The stage of a task, a step, a pool or the run; after the end, the ending. */
export type Stage =
  | 'waiting'
  | 'open'
  | 'ready'
  | 'working'
  | 'checking'
  | 'queued'
  | 'merging'
  | 'conflicted'
  | 'resolving'
  | 'asking'
  | Ending
  | 'new'
  | 'going'
  | 'paused'
  | 'ended'
  | 'closed';

/** The phase of a task while no claim on it is running. */
export type Phase = 'waiting' | 'open' | 'queued' | 'conflicted' | 'asking' | Ending;

/**
 * What a task waits for after an event, until its next claim. `start` and `check` name what may come next: a slot, a pool,
 * and an answer or the check; `nothing` is a task that is running or over.
 */
export type Waiting = 'start' | 'slot' | 'check' | 'backoff' | 'person' | 'queue' | 'paused' | 'nothing';

/** What an event does to the span of its task; a name is that of an event within the span. */
export type TaskSpan = 'opens' | 'ends' | 'restarts' | 'unchanged' | { readonly event: string };

export const LABELS = [
  'paused',
  'resumed',
  'retried',
  'amended',
  'grown',
  'rolled back',
  'quota',
  'overload',
  'lost',
  'conversation',
  'sandboxes',
  'ended',
] as const;

/** The text of an event for a reader of the report. */
export interface Label {
  readonly type: (typeof LABELS)[number];
  readonly text: string;
}

/**
 * The kind of a question to a person. `gate`: a gate of the plan, or a result that a person judges; `question`: a
 * question of an agent; `permission`: an agent's request to use a tool; `conflict`: work that git cannot merge.
 */
export type QuestionType = 'gate' | 'question' | 'permission' | 'conflict';

/** The answer to a question. */
export type Answer =
  | { readonly type: 'approved' | 'resolved' | 'retry' }
  | { readonly type: 'answered'; readonly text: string }
  | { readonly type: 'decided'; readonly decision: Decision }
  | { readonly type: 'ended'; readonly ended: Ended };

/** The party that resolved a conflict; `nobody` where the conflict was given up. */
export type Resolver = 'agent' | 'person' | 'nobody';

export const endingField = oneOf<Ending>({ done: true, failed: true, cancelled: true, skipped: true });
export const reasonField: Field<Reason> = (value) => (isReason(value) ? value : WRONG);
export const causeField = maybe(text);
export const resultField = object<Result>({
  ok: truth,
  response: maybe(text),
  output: maybe(json),
  exitCode: maybe(number),
  commit: maybe(text),
  stderr: maybe(text),
});
export const spendField = object<Spend>({ usd: maybe(number), tokens: maybe(number) });
export const valuesByName: Field<Readonly<Record<string, Json>>> = (value) =>
  // Every object from JSON.parse contains JSON.
  isObject(value) ? (value as Readonly<Record<string, Json>>) : WRONG;

const stepName = object<StepName>({ task: text, step: text });
export const prioritiesField = object<Priorities>({
  tasks: listOf(object<Priorities['tasks'][number]>({ task: text, steps: listOf(number) })),
  holds: listOf(object<Priorities['holds'][number]>({ held: stepName, until: stepName })),
});

export const sandboxesField = object<SandboxBackend>({
  tree: oneOf<SandboxBackend['tree']>({ overlay: true, snapshot: true, checkout: true, none: true }),
  isolation: oneOf<SandboxBackend['isolation']>({ os: true, none: true }),
  why: (value) => ISOLATION_REASONS.find((reason) => reason === value) ?? WRONG,
});

export const ofRun = { at: number };
export const ofTask = { at: number, task: text };
export const ofPlan = { plan: planField, priorities: prioritiesField };
export const ended = { ending: endingField, reason: maybe(reasonField), cause: causeField };

/** Relative to the run's times, so that a report reads the same in every time zone. */
export const forSeconds = (until: number, { at }: { readonly at: number }): string =>
  `for ${Math.max(0, Math.round((until - at) / 1000))} s`;

const LISTED_MAX = 8;

export const listOfTasks = (tasks: readonly string[]): string =>
  tasks.length <= LISTED_MAX
    ? tasks.join(', ')
    : `${tasks.slice(0, LISTED_MAX).join(', ')} and ${tasks.length - LISTED_MAX} more`;

const TREES: Readonly<Record<SandboxBackend['tree'], string>> = {
  overlay: 'overlayfs',
  snapshot: 'btrfs snapshots',
  checkout: 'plain checkouts',
  none: 'none',
};

/** Why a run is isolated, or is not. */
export const ISOLATION_TEXTS: Readonly<Record<IsolationReason, string>> = {
  plan: 'not isolated, as the plan says',
  works: 'isolated by bubblewrap',
  'works-unfiltered': 'isolated by bubblewrap, without a filter of system calls for this processor',
  'works-old-keyring':
    'isolated by bubblewrap, with your session keyring, which the filter of system calls alone keeps from being read',
  'not-linux': 'NOT ISOLATED, because isolation takes Linux',
  'not-installed': 'NOT ISOLATED, because bubblewrap is not installed',
  'no-user-namespaces': 'NOT ISOLATED, because this user may not make user namespaces',
};

export const sandboxesText = ({ tree, why }: SandboxBackend): string => `${TREES[tree]}, ${ISOLATION_TEXTS[why]}`;
