// The JSON form of an event.
//
// event-format/F1. `readEvent` reads the output of `writeEvent` as the same event.
// event-format/F2. A line that is not exactly an event is refused with a reason; unknown fields are left out.
import { isObject, WRONG, type Fields } from '../../plan/json-fields.ts';
import { writeFragment, writePlan } from '../../plan/plan-json.ts';
import type { RunEvent } from '../event.ts';
import { formatOf } from './event-table.ts';

export type ReadEvent =
  | { readonly type: 'event'; readonly event: RunEvent }
  | { readonly type: 'failed'; readonly message: string };

export function writeEvent(event: RunEvent): string {
  if ('plan' in event) return JSON.stringify({ ...event, plan: writePlan(event.plan) });
  return JSON.stringify('fragment' in event ? { ...event, fragment: writeFragment(event.fragment) } : event);
}

export function readEvent(json: string): ReadEvent {
  const fields = fieldsIn(json);
  return fields === undefined ? failed(NO_OBJECT) : fitted(fields);
}

/** The same of a value that was parsed already, as in a line of the stream. */
export const eventIn = (value: unknown): ReadEvent => (isObject(value) ? fitted(value) : failed(NO_OBJECT));

const NO_OBJECT = 'an event is not written as a JSON object';

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
  const shape = formatOf(type);
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
