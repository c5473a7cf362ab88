// Readers of JSON values: they validate data from a log, an inbox or another program.
//
// json-fields/J1. A reader gives back a value of its type or `WRONG`, and never throws. Fields that no reader knows are
//     left out, and the key of a field that is absent is present and undefined.
import type { Json } from './plan.ts';

export const WRONG = Symbol('wrong');
/** Reads one field; undefined means that the field is absent. */
export type Field<Value> = (value: unknown) => Value | typeof WRONG;

/** One reader for each field of a variant except `type`, which selects the variant. */
export type ShapeOf<Value> = FieldsOf<Omit<Value, 'type'>>;

type FieldsOf<Value> = { readonly [Name in keyof Value]-?: Field<Value[Name]> };

export type Fields = Readonly<Record<string, unknown>>;

export const text: Field<string> = (value) => (typeof value === 'string' ? value : WRONG);
export const number: Field<number> = (value) => (typeof value === 'number' ? value : WRONG);
export const truth: Field<boolean> = (value) => (typeof value === 'boolean' ? value : WRONG);
// The result of JSON.parse is JSON, and absent fields are undefined.
export const json: Field<Json> = (value) => (value === undefined ? WRONG : (value as Json));

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A number that counts or measures something. */
export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

export const maybe =
  <Value>(field: Field<Value>): Field<Value | undefined> =>
  (value) =>
    value === undefined ? undefined : field(value);

export function listOf<Value>(field: Field<Value>): Field<readonly Value[]> {
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

/** The words as keys, so that the compiler requires every added word. */
export function oneOf<Word extends string>(words: Readonly<Record<Word, true>>): Field<Word> {
  const isWord = (value: string): value is Word => Object.hasOwn(words, value);
  return (value) => (typeof value === 'string' && isWord(value) ? value : WRONG);
}

export function object<Value extends object>(shape: FieldsOf<Value>): Field<Value> {
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

interface Tagged {
  readonly type: string;
}

/** The variant of one type, also where several types share a variant. */
export type Variant<Value, Type> = Value extends { readonly type: infer Types }
  ? Type extends Types
    ? Value
    : never
  : never;

/** A tagged union: by `type`, the readers of all other fields. */
export function variants<Value extends Tagged>(shapes: {
  readonly [Type in Value['type']]: ShapeOf<Variant<Value, Type>>;
}): Field<Value> {
  // `Object.entries` cannot know that the keys are types, and that each has the fields of its variant.
  const entries = Object.entries(shapes) as unknown as readonly (readonly [string, FieldsOf<object>])[];
  const readers = new Map(entries.map(([type, shape]) => [type, object(shape)]));
  return (value) => {
    const type = isObject(value) ? value['type'] : undefined;
    const read = typeof type === 'string' ? readers.get(type)?.(value) : undefined;
    // The fields were read by the readers of the variant that `type` names.
    return read === undefined || read === WRONG ? WRONG : ({ type, ...read } as Value);
  };
}
