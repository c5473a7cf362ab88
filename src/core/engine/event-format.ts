// How an event is written down, and how one that was written years ago is read.
//
// F1. What `writeEvent` writes, `readEvent` reads as the same event, in this version of Heddle and in every later one.
// F2. A line that is not exactly an event of its version is refused in words; fields that nobody knows are left out.
// F3. An event of an older format is brought up one version at a time, so each step has to be written only once.
import {
  isReason,
  type Decision,
  type EndedAgain,
  type Ending,
  type Permission,
  type Reason,
  type Remembered,
  type Result,
  type RunEvent,
  type Spend,
} from './event.ts';
import type { Usage } from './hosts/assignment.ts';
import type { Json } from '../plan/plan.ts';

/** The version that events are written in. A change that old lines do not fit raises it and adds an upcast. */
export const EVENT_FORMAT = 1;

export interface WrittenEvent {
  readonly version: number;
  readonly json: string;
}

export type ReadEvent =
  | { readonly type: 'event'; readonly event: RunEvent }
  | { readonly type: 'failed'; readonly message: string };

type Fields = Readonly<Record<string, unknown>>;

/** Turns the fields of an event of one version into those of the next. */
export type Upcast = (fields: Fields) => Fields;

/** The formats that there have been: the latest, and by version how to leave each of the others. */
export interface History {
  readonly latest: number;
  readonly upcasts: ReadonlyMap<number, Upcast>;
}

const HISTORY: History = { latest: EVENT_FORMAT, upcasts: new Map() };

export const writeEvent = (event: RunEvent): WrittenEvent => ({ version: EVENT_FORMAT, json: JSON.stringify(event) });

export function readEvent(version: number, json: string, history: History = HISTORY): ReadEvent {
  if (version > history.latest) {
    return failed(`an event was written by a newer Heddle (event format ${version}): update Heddle`);
  }
  const fields = fieldsIn(json);
  if (fields === undefined) return failed('an event is not written as a JSON object');
  return fitted(broughtUp(fields, version, history));
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

function broughtUp(fields: Fields, version: number, { latest, upcasts }: History): Fields {
  let current = fields;
  for (let from = version; from < latest; from += 1) current = upcasts.get(from)?.(current) ?? current;
  return current;
}

function fitted(fields: Fields): ReadEvent {
  const { type } = fields;
  if (typeof type !== 'string') return failed('an event has no type');
  const shape: Readonly<Record<string, Field<unknown>>> | undefined = isKnown(type) ? SHAPES[type] : undefined;
  if (shape === undefined) {
    return failed(`an event of the type "${type}" was written by a newer Heddle: update Heddle`);
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

const WRONG = Symbol('wrong');
/** Reads one field; undefined stands for one that is not there. */
type Field<Value> = (value: unknown) => Value | typeof WRONG;

const text: Field<string> = (value) => (typeof value === 'string' ? value : WRONG);
const number: Field<number> = (value) => (typeof value === 'number' ? value : WRONG);
const truth: Field<boolean> = (value) => (typeof value === 'boolean' ? value : WRONG);
// Whatever JSON.parse gives is JSON, and what is not there is not.
const json: Field<Json> = (value) => (value === undefined ? WRONG : (value as Json));

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const maybe =
  <Value>(field: Field<Value>): Field<Value | undefined> =>
  (value) =>
    value === undefined ? undefined : field(value);

function listOf<Value>(field: Field<Value>): Field<readonly Value[]> {
  return (value) => {
    if (!Array.isArray(value)) return WRONG;
    const items: Value[] = [];
    for (const part of value) {
      const item = field(part);
      if (item === WRONG) return WRONG;
      items.push(item);
    }
    return items;
  };
}

/** The words as keys, so that the compiler asks for one that is added. */
function oneOf<Word extends string>(words: Readonly<Record<Word, true>>): Field<Word> {
  const isWord = (value: string): value is Word => Object.hasOwn(words, value);
  return (value) => (typeof value === 'string' && isWord(value) ? value : WRONG);
}

function object<Value extends object>(shape: ShapeOf<Value>): Field<Value> {
  // The shape has one reader for each field of the value, which `Object.entries` cannot know.
  const readers = Object.entries(shape) as readonly (readonly [string, Field<unknown>])[];
  return (value) => {
    if (!isObject(value)) return WRONG;
    const read: Record<string, unknown> = {};
    for (const [name, field] of readers) {
      const part = field(value[name]);
      if (part === WRONG) return WRONG;
      read[name] = part;
    }
    // Every field of the value was read by its own reader in the loop above.
    return read as Value;
  };
}

type ShapeOf<Value> = { readonly [Name in Exclude<keyof Value, 'type'>]-?: Field<Value[Name]> };

/** The event of one type, also where several types share a variant. */
type EventOf<Type, Event = RunEvent> = Event extends { readonly type: infer Types }
  ? Type extends Types
    ? Event
    : never
  : never;

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

const returned = { reason, counted: truth, until: number, spend, pool: maybe(text), conversation };

const ofRun = { at: number };
const ofTask = { at: number, task: text };
const ofStep = { at: number, task: text, step: text };

/** What each type of event holds. The compiler asks for a line when a type or a field is added. */
const SHAPES: { readonly [Type in RunEvent['type']]: ShapeOf<EventOf<Type>> } = {
  'run.started': { ...ofRun, plan: text, seed: number, base: maybe(text) },
  'run.paused': { ...ofRun, cause },
  'run.resumed': ofRun,
  'run.ended': ofRun,
  'tasks.revived': { ...ofRun, tasks: listOf(text) },
  'amendment.accepted': { ...ofRun, plan: text, tasks: listOf(text) },
  'plan.amended': {
    ...ofRun,
    plan: text,
    restarted: listOf(text),
    changed: listOf(text),
    reopened: listOf(text),
    added: listOf(text),
    cancelled: listOf(text),
    again: listOf(object<EndedAgain>({ task: text, reason, cause })),
  },
  'pool.closed': { ...ofRun, pool: text, until: number },
  'pool.opened': { ...ofRun, pool: text },
  'pool.narrowed': { ...ofRun, pool: text, width: number, until: number },
  'pool.widened': { ...ofRun, pool: text, width: number, until: number },
  'task.opened': ofTask,
  'task.held': ofTask,
  'task.released': ofTask,
  'task.dropped': { ...ofTask, ...ended },
  'task.condemned': { ...ofTask, reason, cause },
  'task.repeated': { ...ofTask, round: number },
  'task.queued': ofTask,
  'task.merging': { ...ofTask, tip: maybe(text) },
  'task.conflicted': { ...ofTask, paths: listOf(text), with: listOf(text), onto: maybe(text), asks: truth },
  'task.resolved': { ...ofTask, commit: maybe(text) },
  'task.rolledBack': { ...ofTask, to: text, tasks: listOf(text) },
  'task.requeued': ofTask,
  'task.ended': { ...ofTask, ...ended, result: maybe(result) },
  'check.claimed': ofTask,
  'check.passed': ofTask,
  'check.failed': { ...ofTask, redo: number, tail: text },
  'check.returned': { ...ofTask, reason, counted: truth },
  'check.recalled': ofTask,
  'check.condemned': { ...ofTask, reason, cause },
  'merge.condemned': { ...ofTask, reason, cause },
  'merge.failed': { ...ofTask, redo: number, tail: text },
  'resolve.claimed': { ...ofTask, by: text, attempt: number, reserve: spend },
  'resolve.ended': { ...ofTask, ...ended, result: maybe(result), spend, conversation },
  'resolve.returned': { ...ofTask, ...returned, says: maybe(text) },
  'resolve.recalled': { ...ofTask, attempt: number },
  'resolve.raised': { ...ofTask, attempt: number, reserve: spend },
  'resolve.condemned': { ...ofTask, reason, cause },
  'resolve.dropped': { ...ofTask, reason },
  'step.claimed': { ...ofStep, attempt: number, reserve: spend, agent: maybe(text) },
  'step.ended': { ...ofStep, ...ended, result: maybe(result), spend, conversation },
  'step.returned': { ...ofStep, ...returned, says: maybe(text), commit: maybe(text) },
  'step.recalled': { ...ofStep, attempt: number },
  'step.raised': { ...ofStep, attempt: number, reserve: spend },
  'step.condemned': { ...ofStep, reason, cause },
  'step.dropped': { ...ofStep, ...ended },
  'step.joined': { ...ofStep, result },
  'step.asked': {
    ...ofStep,
    result: maybe(result),
    spend,
    question: maybe(text),
    permission: maybe(object<Permission>({ tool: text, about: text, key: text })),
    until: maybe(number),
    conversation,
  },
  'step.answered': { ...ofStep, ...ended },
  'step.retried': {
    ...ofStep,
    says: maybe(text),
    decision: maybe(object<Decision>({ key: text, isAllowed: truth, isForTask: truth })),
  },
};

const isKnown = (type: string): type is RunEvent['type'] => Object.hasOwn(SHAPES, type);

/** Every type of event that there is. */
export const EVENT_TYPES: readonly string[] = Object.keys(SHAPES);
