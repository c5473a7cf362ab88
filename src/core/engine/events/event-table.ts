// Everything about a type of event, from the table of its family: the form on disk, the transition, the stages before
// and after, the label for people. A new event is one new row.
import type { Compiled } from '../../compile/compiled.ts';
import type { Field } from '../../plan/json-fields.ts';
import type { RunEvent } from '../event.ts';
import { CLAIM_EVENTS, claimRow } from './claim-events.ts';
import type { Label, Stage } from './event-fields.ts';
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

export function labelOf(event: RunEvent): Label | undefined {
  if ('work' in event) return claimRow(event).label?.(event);
  if ('step' in event) return undefined;
  return 'task' in event ? taskRow(event).label?.(event) : wholeRow(event).label?.(event);
}

/** The stage of the run after an event that sets it; undefined for all others. */
export const runStageAfter = (event: RunEvent): Stage | undefined =>
  'task' in event || 'pool' in event ? undefined : wholeRow(event).stages?.to;

/** Whether an event asks a person a question. */
export function isQuestion({ tasks, indexOf }: Compiled, event: RunEvent): boolean {
  if ('work' in event) return claimRow(event).asks === true;
  if (!('task' in event)) return false;
  if ('step' in event) return stepRow(event).asks === true;
  const task = tasks[indexOf.get(event.task) ?? -1];
  return task !== undefined && taskRow(event).asks?.(task) === true;
}
