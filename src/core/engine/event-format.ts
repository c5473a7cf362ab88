// The JSON form of an event.
//
// event-format/F1. What `writeEvent` writes, `readEvent` reads as the same event.
// event-format/F2. A line that is not exactly an event is refused with a reason; fields that no reader knows are left out.
import {
  isReason,
  type Conflict,
  type Permission,
  type Reason,
  type Remembered,
  type Result,
  type Spend,
} from '../protocol/result.ts';
import type { WorkType } from '../protocol/assignment.ts';
import type { Decision, EndedAgain, Ending, RunEvent } from './event.ts';
import type { Usage } from '../protocol/result.ts';
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
  type Fields,
  type ShapeOf,
  type Variant,
} from '../plan/json-fields.ts';
import { planField, writePlan } from '../plan/plan-json.ts';
import type { Json } from '../plan/plan.ts';
import type { Priorities, StepName } from './order.ts';

export type ReadEvent =
  | { readonly type: 'event'; readonly event: RunEvent }
  | { readonly type: 'failed'; readonly message: string };

export const writeEvent = (event: RunEvent): string =>
  JSON.stringify('plan' in event ? { ...event, plan: writePlan(event.plan) } : event);

export function readEvent(json: string): ReadEvent {
  const fields = fieldsIn(json);
  return fields === undefined ? failed('an event is not written as a JSON object') : fitted(fields);
}

const failed = (message: string): ReadEvent => ({ type: 'failed', message });

function fieldsIn(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function fitted(fields: Fields): ReadEvent {
  const { type } = fields;
  if (typeof type !== 'string') return failed('an event has no type');
  const shape: Readonly<Record<string, Field<unknown>>> | undefined = isKnown(type) ? SHAPES[type] : undefined;
  if (shape === undefined) {
    return failed(`this Heddle knows no event "${type}": update Heddle`);
  }
  const event: Record<string, unknown> = { type };
  for (const name of Object.keys(shape)) {
    const value = shape[name]?.(fields[name]);
    if (value === WRONG) return failed(`the field "${name}" of an event "${type}" is missing or wrong`);
    event[name] = value;
  }
  // Every field of the shape of this type was read by its own reader in the loop above.
  return { type: 'event', event: event as unknown as RunEvent };
}

const ending = oneOf<Ending>({ done: true, failed: true, cancelled: true, skipped: true });
const reason: Field<Reason> = (value) => (isReason(value) ? value : WRONG);
const cause = maybe(text);
const result = object<Result>({
  ok: truth,
  response: maybe(text),
  output: maybe(json),
  exitCode: maybe(number),
  commit: maybe(text),
});
const spend = object<Spend>({ usd: maybe(number), tokens: maybe(number) });
const ended = { ending, reason: maybe(reason), cause };

const usage = object<Usage>({ input: number, cached: number, output: number, usd: maybe(number) });
const conversation = maybe(object<Remembered>({ agent: text, id: text, reading: maybe(usage) }));

const conflict = object<Conflict>({ paths: listOf(text), with: listOf(text), onto: maybe(text) });

const valuesByName: Field<Readonly<Record<string, Json>>> = (value) =>
  // Whatever JSON.parse gives as an object has JSON in it.
  isObject(value) ? (value as Readonly<Record<string, Json>>) : WRONG;

const stepName = object<StepName>({ task: text, step: text });
export const priorities = object<Priorities>({
  tasks: listOf(object<Priorities['tasks'][number]>({ task: text, steps: listOf(number) })),
  holds: listOf(object<Priorities['holds'][number]>({ held: stepName, until: stepName })),
});
const ofPlan = { plan: planField, priorities };

const ofRun = { at: number };
const ofTask = { at: number, task: text };
const ofStep = { at: number, task: text, step: text };
const ofClaim = {
  at: number,
  work: oneOf<WorkType>({ step: true, check: true, merge: true, resolve: true }),
  task: text,
  step: maybe(text),
  attempt: number,
};

/** What each type of event holds. The compiler asks for a line when a type or a field is added. */
const SHAPES: { readonly [Type in RunEvent['type']]: ShapeOf<Variant<RunEvent, Type>> } = {
  'run.started': {
    ...ofRun,
    ...ofPlan,
    policy: oneOf({ parallel: true, serial: true }),
    inputs: valuesByName,
    seed: number,
    base: maybe(text),
  },
  'run.paused': { ...ofRun, cause },
  'run.resumed': ofRun,
  'run.ended': ofRun,
  'plan.amending': { ...ofRun, ...ofPlan, tasks: listOf(text) },
  'plan.amended': {
    ...ofRun,
    ...ofPlan,
    restarted: listOf(text),
    changed: listOf(text),
    reopened: listOf(text),
    added: listOf(text),
    cancelled: listOf(text),
    again: listOf(object<EndedAgain>({ task: text, reason, cause })),
  },
  'pool.closed': { ...ofRun, pool: text, until: number },
  'pool.opened': { ...ofRun, pool: text },
  'pool.throttled': { ...ofRun, pool: text, limit: number, until: number },
  'pool.restored': { ...ofRun, pool: text, limit: number, until: number },
  'task.opened': ofTask,
  'task.paused': ofTask,
  'task.released': ofTask,
  'task.skipped': { ...ofTask, ...ended },
  'task.cancelling': { ...ofTask, reason, cause },
  'task.repeated': { ...ofTask, round: number },
  'task.queued': ofTask,
  'task.escalated': { ...ofTask, reason },
  'task.resolved': { ...ofTask, commit: maybe(text) },
  'task.ended': { ...ofTask, ...ended, result: maybe(result) },
  'task.reset': { ...ofRun, tasks: listOf(text) },
  'task.rolledBack': { ...ofTask, to: text, tasks: listOf(text) },
  'step.skipped': { ...ofStep, ...ended },
  'step.joined': { ...ofStep, result },
  'claim.made': { ...ofClaim, reserve: spend, agent: maybe(text), tip: maybe(text) },
  'claim.raised': { ...ofClaim, reserve: spend },
  'claim.preempting': ofClaim,
  'claim.cancelling': { ...ofClaim, reason, cause },
  'claim.returned': {
    ...ofClaim,
    reason,
    counted: truth,
    until: number,
    spend,
    pool: maybe(text),
    conversation,
    says: maybe(text),
    commit: maybe(text),
  },
  'claim.asked': {
    ...ofClaim,
    reason: maybe(reason),
    result: maybe(result),
    spend,
    question: maybe(text),
    permission: maybe(object<Permission>({ tool: text, about: text, key: text })),
    until: maybe(number),
    conversation,
    conflict: maybe(conflict),
  },
  'claim.answered': {
    ...ofClaim,
    ending: maybe(ending),
    reason: maybe(reason),
    cause,
    says: maybe(text),
    decision: maybe(object<Decision>({ key: text, isAllowed: truth, isForTask: truth })),
  },
  'claim.ended': {
    ...ofClaim,
    ...ended,
    result: maybe(result),
    spend,
    conversation,
    redo: maybe(number),
    says: maybe(text),
    conflict: maybe(conflict),
  },
};

const isKnown = (type: string): type is RunEvent['type'] => Object.hasOwn(SHAPES, type);

/** Every type of event that there is. */
export const EVENT_TYPES: readonly string[] = Object.keys(SHAPES);
