// Everything about a type of event, from the table of its family: the form on disk, the transition, the stages before
// and after, the label for people. A new event is one new row.
import { taskOfPath, type Compiled } from '../../compile/compiled.ts';
import type { Field } from '../../plan/json-fields.ts';
import type { RunEvent } from '../event.ts';
import { CLAIM_EVENTS, claimRow } from './claim-events.ts';
import type { Answer, Label, QuestionType, Resolver, Stage, Waiting } from './event-fields.ts';
import { RUN_EVENTS, wholeRow } from './run-events.ts';
import { STEP_EVENTS, stepRow, TASK_EVENTS, taskRow } from './task-events.ts';

const EVENTS: Readonly<Record<RunEvent['type'], { readonly format: Readonly<Record<string, Field<unknown>>> }>> = {
  ...RUN_EVENTS,
  ...TASK_EVENTS,
  ...STEP_EVENTS,
  ...CLAIM_EVENTS,
};

/** All types of events. */
export const EVENT_TYPES: readonly string[] = Object.keys(EVENTS);

const isKnown = (type: string): type is RunEvent['type'] => Object.hasOwn(EVENTS, type);

/** A reader for each field of a type of event; undefined for an unknown type. */
export const formatOf = (type: string): Readonly<Record<string, Field<unknown>>> | undefined =>
  isKnown(type) ? EVENTS[type].format : undefined;

/** The tasks of an event about several of them. */
export function tasksIn(event: RunEvent): readonly string[] | undefined {
  if (event.type === 'task.lost') return event.tasks.map(({ task }) => task);
  return 'tasks' in event ? event.tasks : undefined;
}

export function labelOf(event: RunEvent): Label | undefined {
  if ('work' in event) return claimRow(event).label?.(event);
  if ('step' in event) return undefined;
  return 'task' in event ? taskRow(event).label?.(event) : wholeRow(event).label?.(event);
}

/** What the task of an event waits for from there on, until its next claim; undefined when the event does not say. */
export function waitingAfter(event: Extract<RunEvent, { task: string }>): Waiting | undefined {
  if ('work' in event) return claimRow(event).waits;
  return 'step' in event ? stepRow(event).waits : taskRow(event).waits;
}

/** The stage of the run after an event that sets it; undefined for all others. */
export const runStageAfter = (event: RunEvent): Stage | undefined =>
  'task' in event || 'pool' in event ? undefined : wholeRow(event).stages?.to;

export interface AskedQuestion {
  readonly type: QuestionType;
  readonly task: string;
  /** Undefined for a gate and for a conflict, which is a question of the task, whichever step's agent worked on it. */
  readonly step: string | undefined;
}

/** The question that an event asks a person. */
export function questionIn(compiled: Compiled, event: RunEvent): AskedQuestion | undefined {
  if (!('task' in event)) return undefined;
  const type = questionTypeOf(compiled, event);
  if (type === undefined) return undefined;
  return { type, task: event.task, step: type === 'conflict' || !('step' in event) ? undefined : event.step };
}

function questionTypeOf(compiled: Compiled, event: Extract<RunEvent, { task: string }>): QuestionType | undefined {
  if ('work' in event) return claimRow(event).asks?.(event);
  if ('step' in event) return stepRow(event).asks;
  const task = taskOfPath(compiled, event.task);
  return task === undefined ? undefined : taskRow(event).asks?.(task);
}

/** The answer that an event gives to a question: that of the step of a claim, else that of its task. */
export function answerIn(event: RunEvent): Answer | undefined {
  if ('work' in event) return claimRow(event).answers?.(event);
  return 'task' in event && !('step' in event) ? taskRow(event).answers?.(event) : undefined;
}

/** The party that resolves the conflict of a task with an event. */
export function resolverIn(event: RunEvent): Resolver | undefined {
  if ('work' in event) return claimRow(event).resolves?.(event);
  return 'task' in event && !('step' in event) ? taskRow(event).resolves?.(event) : undefined;
}
