// The events of a task, and of a step that is over without a claim: a row each.
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import { countAt } from '../../net/play.ts';
import { listOf, maybe, number, text, type ShapeOf, type Variant } from '../../plan/json-fields.ts';
import type { ClaimEvent, RunEvent } from '../event.ts';
import type { State } from '../state.ts';
import {
  causeField,
  ended,
  ofTask,
  reasonField,
  resultField,
  type Answer,
  type Label,
  type Phase,
  type QuestionType,
  type Resolver,
  type Stage,
  type TaskSpan,
  type Waiting,
} from './event-fields.ts';

/** The events of a step that is over without a claim. */
export type StepEvent = Extract<RunEvent, { type: `step.${string}` }>;
/** The events of a task as a whole. */
export type TaskEvent = Exclude<Extract<RunEvent, { task: string }>, StepEvent | ClaimEvent>;

interface TaskRow<Event> {
  readonly format: ShapeOf<Event>;
  /** Undefined for an event that sets a marking (event/E1). */
  readonly transition: ((task: CompiledTask, state: State) => number | undefined) | undefined;
  /** Undefined where the phase of the task does not change. */
  readonly phase: ((event: Event, task: CompiledTask) => Phase) | undefined;
  readonly span: TaskSpan;
  /** Absent where the event says nothing about what the task waits for. */
  readonly waits?: Waiting;
  readonly label?: (event: Event) => Label;
  /** The question that the event asks a person. */
  readonly asks?: (task: CompiledTask) => QuestionType | undefined;
  /** The answer to the question of the task. */
  readonly answers?: (event: Event) => Answer;
  /** The party that resolves the task's conflict with this event. */
  readonly resolves?: (event: Event) => Resolver;
}

type TaskRows = { readonly [Type in TaskEvent['type']]: TaskRow<Variant<TaskEvent, Type>> };

const open = (): Phase => 'open';

export const TASK_EVENTS: TaskRows = {
  'task.opened': {
    format: ofTask,
    transition: ({ transitions }) => transitions.open,
    phase: (_, { task }) => (task.type === 'gate' ? 'asking' : 'open'),
    span: 'opens',
    waits: 'start',
    asks: ({ task }) => (task.type === 'gate' ? 'gate' : undefined),
  },
  'task.paused': {
    format: ofTask,
    transition: (_, { compiled }) => compiled.run.hold,
    phase: undefined,
    span: 'unchanged',
    waits: 'paused',
  },
  'task.released': {
    format: ofTask,
    transition: (_, { compiled }) => compiled.run.hold,
    phase: undefined,
    span: 'unchanged',
  },
  'task.skipped': {
    format: { ...ofTask, ...ended },
    transition: ({ transitions }) => transitions.drop,
    // A skipped subplan stays open until its tasks are skipped.
    phase: ({ ending }, { task }) => (task.type === 'subplan' ? 'open' : ending),
    span: 'ends',
    waits: 'nothing',
  },
  'task.cancelling': {
    format: { ...ofTask, reason: reasonField, cause: causeField },
    transition: ({ transitions }) => transitions.cancel,
    phase: undefined,
    span: 'unchanged',
  },
  'task.repeated': {
    format: { ...ofTask, round: number, says: maybe(text) },
    transition: ({ transitions }) => transitions.repeat,
    phase: open,
    span: { event: 'repeated' },
  },
  'task.queued': {
    format: ofTask,
    transition: ({ transitions }) => transitions.queue,
    phase: () => 'queued',
    span: { event: 'queued' },
    waits: 'queue',
  },
  'task.escalated': {
    format: { ...ofTask, reason: reasonField, budget: maybe(text) },
    transition: ({ transitions }) => transitions.askConflict,
    phase: () => 'conflicted',
    span: { event: 'escalated' },
    waits: 'person',
    asks: () => 'conflict',
  },
  'task.resolved': {
    format: { ...ofTask, commit: maybe(text) },
    transition: ({ transitions }) => transitions.accept,
    phase: open,
    span: { event: 'resolved' },
    answers: () => ({ type: 'resolved' }),
    resolves: () => 'person',
  },
  'task.ended': {
    format: { ...ofTask, ...ended, result: maybe(resultField) },
    transition: endOf,
    phase: ({ ending }) => ending,
    span: 'ends',
    waits: 'nothing',
    answers: ({ ending, reason, cause }) =>
      ending === 'done' ? { type: 'approved' } : { type: 'ended', ended: { ending, reason, cause } },
    // Approving a conflict means that a person accepts the tree as it is.
    resolves: ({ ending }) => (ending === 'done' ? 'person' : 'nobody'),
  },
  'task.gated': {
    format: { ...ofTask, result: resultField },
    transition: ({ transitions }) => transitions.ask,
    phase: () => 'asking',
    span: { event: 'gated' },
    waits: 'person',
    asks: () => 'gate',
  },
  'task.rolledBack': {
    format: { ...ofTask, to: text, tasks: listOf(text) },
    transition: undefined,
    phase: open,
    span: 'restarts',
    label: ({ task, to }) => ({ type: 'rolled back', text: `${task} was rolled back to before its step ${to}.` }),
  },
};

/** A task ends from the stage that holds its token; exactly one does. */
function endOf({ places, transitions }: CompiledTask, { play }: State): number | undefined {
  const holds = (place: number | undefined): boolean => place !== undefined && countAt(play, place) > 0;
  if (transitions.finish !== undefined) return transitions.finish;
  if (holds(places.asking)) return transitions.answer;
  if (holds(places.queued)) return transitions.closeQueue;
  if (holds(places.conflicted)) return transitions.closeConflict;
  return transitions.close;
}

interface StepRow<Event> {
  readonly format: ShapeOf<Event>;
  readonly transition: (step: CompiledStep) => number | undefined;
  /** The step was ready before. */
  readonly to: (event: Event) => Stage;
  /** What the task of the step waits for with this event. */
  readonly waits?: Waiting;
  /** The question that the event asks a person. */
  readonly asks?: QuestionType;
}

type StepRows = { readonly [Type in StepEvent['type']]: StepRow<Variant<StepEvent, Type>> };

export const STEP_EVENTS: StepRows = {
  'step.skipped': {
    format: { ...ofTask, step: text, ...ended, budget: maybe(text) },
    transition: ({ transitions }) => transitions.drop,
    to: ({ ending }) => ending,
  },
  'step.joined': {
    format: { ...ofTask, step: text, ...ended, result: resultField },
    transition: ({ transitions }) => transitions.join,
    to: ({ ending }) => ending,
  },
  'step.gated': {
    format: { ...ofTask, step: text, attempt: number, result: resultField },
    transition: ({ transitions }) => transitions.ask,
    to: () => 'asking',
    waits: 'person',
    asks: 'gate',
  },
  'step.rejoined': {
    format: { ...ofTask, step: text, attempt: number },
    transition: ({ transitions }) => transitions.rejoin,
    to: () => 'ready',
  },
};

/** Each row takes the events of its own type. */
export const taskRow = (event: TaskEvent): TaskRow<TaskEvent> =>
  // The type of an event is the key of its row.
  TASK_EVENTS[event.type] as TaskRow<TaskEvent>;

export const stepRow = (event: StepEvent): StepRow<StepEvent> =>
  // The type of an event is the key of its row.
  STEP_EVENTS[event.type] as StepRow<StepEvent>;
