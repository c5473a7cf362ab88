// The life of a claim: a row for each of its events, whatever the work.
import type { CompiledTask, StepTransitions, TaskTransitions } from '../../compile/compiled.ts';
import {
  listOf,
  maybe,
  number,
  object,
  oneOf,
  text,
  truth,
  type ShapeOf,
  type Variant,
} from '../../plan/json-fields.ts';
import type { WorkType } from '../../protocol/assignment.ts';
import type { MovedConversation, PlacedFor, WaitsForHost } from '../../protocol/placement.ts';
import type { Conflict, Permission, Reason, Remembered, Usage } from '../../protocol/result.ts';
import type { ClaimEvent, Decision, Ending } from '../event.ts';
import {
  causeField,
  ended,
  endingField,
  ofTask,
  reasonField,
  resultField,
  spendField,
  type Answer,
  type Label,
  type Phase,
  type QuestionType,
  type Resolver,
  type Stage,
  type Waiting,
} from './event-fields.ts';
import { movedLabel, returnLabel } from './claim-labels.ts';

type Fires<Transitions, Event> = (transitions: Transitions, event: Event) => number | undefined;

interface ClaimRow<Event> {
  readonly format: ShapeOf<Event>;
  /** The transition that the event fires, by the work; absent where a claim for that work has no such event, and event/E1. */
  readonly transition: {
    readonly step?: Fires<StepTransitions, Event>;
    readonly check?: Fires<TaskTransitions, Event>;
    readonly merge?: Fires<TaskTransitions, Event>;
    readonly resolve?: Fires<TaskTransitions, Event>;
  };
  /** The stages of the step before and after. */
  readonly ofStep: { readonly from: Stage; readonly to: (event: Event) => Stage };
  /** The phase of the task after a claim on the task as a whole; absent while the claim is running. */
  readonly phase?: (event: Event, task: CompiledTask) => Phase;
  /** How the span of the claim ends; absent while it is running. */
  readonly span?: (event: Event) => 'done' | 'failed' | 'cancelled';
  /** The result of the claim, for a report; absent while it is running. */
  readonly over?: (event: Event) => ClaimResult;
  /** Absent where the event says nothing about what the task waits for. */
  readonly waits?: Waiting;
  readonly label?: (event: Event) => Label | undefined;
  /** The question that the event asks a person. */
  readonly asks?: (event: Event) => QuestionType;
  /** The answer to the question that the claim asked. */
  readonly answers?: (event: Event) => Answer;
  /** The party that resolves the task's conflict with this event. */
  readonly resolves?: (event: Event) => Resolver | undefined;
}

/** The result of a claim that is over. */
export interface ClaimResult {
  readonly result: 'passed' | 'returned' | 'asked' | 'conflict' | Ending;
  readonly reason?: Reason | undefined;
  /** The error text of a claim that did not succeed. */
  readonly says?: string | undefined;
  readonly exitCode?: number | undefined;
  /** The commit that a step left. */
  readonly commit?: string | undefined;
}

type Rows = { readonly [Type in ClaimEvent['type']]: ClaimRow<Variant<ClaimEvent, Type>> };

const ofClaim = {
  ...ofTask,
  work: oneOf<WorkType>({ step: true, check: true, merge: true, resolve: true }),
  step: maybe(text),
  attempt: number,
};
const usage = object<Usage>({ input: number, cached: number, output: number, usd: maybe(number) });
const conversation = maybe(object<Remembered>({ agent: text, id: text, reading: maybe(usage), isKept: maybe(truth) }));
const conflict = maybe(object<Conflict>({ paths: listOf(text), with: listOf(text), onto: maybe(text) }));

const isRunning: ClaimRow<ClaimEvent>['ofStep'] = { from: 'working', to: () => 'working' };
const stopped = {
  step: ({ cancel }: StepTransitions) => cancel,
  check: ({ cancelCheck }: TaskTransitions) => cancelCheck,
  merge: ({ cancelMerge }: TaskTransitions) => cancelMerge,
  resolve: ({ cancelResolve }: TaskTransitions) => cancelResolve,
} as const;

export const CLAIM_EVENTS: Rows = {
  'claim.made': {
    format: { ...ofClaim, reserve: spendField, agent: maybe(text), tip: maybe(text) },
    transition: {
      step: ({ claim }) => claim,
      check: ({ check }) => check,
      merge: ({ merge }) => merge,
      resolve: ({ resolve }) => resolve,
    },
    ofStep: { from: 'ready', to: () => 'working' },
    waits: 'nothing',
  },
  'claim.waiting': {
    format: { ...ofClaim, why: oneOf<WaitsForHost>({ label: true, agent: true, host: true, room: true }) },
    transition: {},
    ofStep: isRunning,
  },
  'claim.placed': {
    format: {
      ...ofClaim,
      host: maybe(text),
      why: oneOf<PlacedFor>({ only: true, conversation: true, task: true, template: true, room: true }),
      instance: maybe(text),
      conversation: maybe(oneOf<MovedConversation>({ carried: true, anew: true })),
      leaseMs: maybe(number),
    },
    transition: {},
    ofStep: isRunning,
    label: movedLabel,
  },
  'claim.raised': {
    format: { ...ofClaim, reserve: spendField },
    transition: { step: ({ raise }) => raise, resolve: ({ raiseResolve }) => raiseResolve },
    ofStep: isRunning,
  },
  'claim.preempting': { format: ofClaim, transition: stopped, ofStep: isRunning },
  'claim.cancelling': {
    format: { ...ofClaim, reason: reasonField, cause: causeField, budget: maybe(text) },
    transition: stopped,
    ofStep: isRunning,
  },
  'claim.returned': {
    format: {
      ...ofClaim,
      reason: reasonField,
      counted: truth,
      until: number,
      spend: spendField,
      pool: maybe(text),
      conversation,
      message: maybe(text),
      unbegunOn: maybe(text),
      says: maybe(text),
      commit: maybe(text),
    },
    transition: {
      step: (transitions) => transitions.return,
      check: ({ returnCheck }) => returnCheck,
      merge: ({ requeue }) => requeue,
      resolve: ({ returnResolve }) => returnResolve,
    },
    ofStep: { from: 'working', to: () => 'ready' },
    phase: ({ work }) => RETURNED[work],
    span: ({ reason }) => (reason === 'outrun' ? 'cancelled' : 'failed'),
    over: ({ reason, says }) => ({ result: 'returned', reason, says }),
    waits: 'backoff',
    label: returnLabel,
  },
  'claim.asked': {
    format: {
      ...ofClaim,
      reason: maybe(reasonField),
      result: maybe(resultField),
      spend: spendField,
      question: maybe(text),
      permission: maybe(object<Permission>({ tool: text, about: text, key: text })),
      until: maybe(number),
      conversation,
      conflict,
    },
    transition: {
      step: ({ ask }) => ask,
      merge: ({ askMerge }) => askMerge,
      resolve: ({ askResolve }) => askResolve,
    },
    ofStep: { from: 'working', to: () => 'asking' },
    phase: () => 'conflicted',
    span: ({ work }) => (work === 'step' ? 'done' : 'failed'),
    over: ({ work, reason, question }) =>
      work === 'step'
        ? { result: 'asked', says: question }
        : { result: work === 'merge' ? 'conflict' : 'failed', reason },
    waits: 'person',
    asks: questionAsked,
  },
  'claim.answered': {
    format: {
      ...ofClaim,
      ending: maybe(endingField),
      reason: maybe(reasonField),
      cause: causeField,
      says: maybe(text),
      decision: maybe(object<Decision>({ key: text, isAllowed: truth, isForTask: truth })),
    },
    transition: { step: ({ retry, answer }, { ending }) => (ending === undefined ? retry : answer) },
    ofStep: { from: 'asking', to: ({ ending }) => ending ?? 'ready' },
    waits: 'slot',
    answers: answerGiven,
  },
  'claim.ended': {
    format: {
      ...ofClaim,
      ...ended,
      result: maybe(resultField),
      spend: spendField,
      conversation,
      redo: maybe(number),
      says: maybe(text),
      conflict,
      budget: maybe(text),
    },
    transition: {
      step: ({ end }) => end,
      check: ({ redo, pass, returnCheck }, event) =>
        event.redo !== undefined ? redo : event.ending === 'done' ? (pass ?? returnCheck) : returnCheck,
      merge: ({ redoMerge, conflict: conflicted, endMerge }, event) =>
        event.redo !== undefined ? redoMerge : event.conflict === undefined ? endMerge : conflicted,
      resolve: ({ endResolve }) => endResolve,
    },
    ofStep: { from: 'working', to: ({ ending }) => ending },
    phase: phaseAtEnd,
    span: ({ ending }) => (ending === 'skipped' ? 'done' : ending),
    over: resultAtEnd,
    waits: 'check',
    resolves: ({ work, ending }) => (work === 'resolve' && ending === 'done' ? 'agent' : undefined),
  },
};

const RETURNED: Readonly<Record<WorkType, Phase>> = {
  step: 'open',
  check: 'open',
  merge: 'queued',
  resolve: 'conflicted',
};

type Ended = Variant<ClaimEvent, 'claim.ended'>;

function phaseAtEnd({ work, ending, conflict: met }: Ended, { transitions }: CompiledTask): Phase {
  if (work === 'check' && ending === 'done' && transitions.pass !== undefined) return 'queued';
  return met === undefined ? 'open' : 'conflicted';
}

function resultAtEnd({ work, ending, reason, result, says, conflict: met }: Ended): ClaimResult {
  switch (work) {
    case 'step':
      return {
        result: ending,
        reason,
        says: result?.ok === true ? undefined : (result?.stderr ?? result?.response),
        exitCode: result?.exitCode,
        commit: result?.commit,
      };
    case 'check':
      return { result: ending === 'done' ? 'passed' : ending, reason, says };
    case 'merge':
      return { result: met === undefined ? ending : 'conflict', reason, says };
    case 'resolve':
      return { result: ending, reason };
  }
}

function questionAsked({ work, question, permission }: Variant<ClaimEvent, 'claim.asked'>): QuestionType {
  if (work !== 'step') return 'conflict';
  if (question === undefined) return 'gate';
  return permission === undefined ? 'question' : 'permission';
}

function answerGiven({ ending, reason, cause, says, decision }: Variant<ClaimEvent, 'claim.answered'>): Answer {
  if (ending === 'done') return { type: 'approved' };
  if (ending !== undefined) return { type: 'ended', ended: { ending, reason, cause } };
  if (decision !== undefined) return { type: 'decided', decision };
  return says === undefined ? { type: 'retry' } : { type: 'answered', text: says };
}

/** Each row takes the events of its own type. */
export const claimRow = (event: ClaimEvent): ClaimRow<ClaimEvent> =>
  // The type of an event is the key of its row.
  CLAIM_EVENTS[event.type] as ClaimRow<ClaimEvent>;

/** Whether the claim begins with this event. */
export const startsClaim = (event: ClaimEvent): event is Variant<ClaimEvent, 'claim.made'> =>
  event.type === 'claim.made';

/** Whether the claim is over with this event. */
export const endsClaim = (event: ClaimEvent): event is OverEvent => claimRow(event).span !== undefined;

export type OverEvent = Variant<ClaimEvent, 'claim.returned' | 'claim.asked' | 'claim.ended'>;
