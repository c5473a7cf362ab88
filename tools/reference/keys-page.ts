// The page that lists every key of a plan, made from the JSON Schema that editors use.
import type { Json, JsonSchema } from '../../src/core/plan/plan.ts';
import { planJsonSchema } from '../../src/core/plan/language/plan-json-schema.ts';
import { table } from './table.ts';

const INTRODUCTION = `# Every key of a plan

Generated from the JSON Schema by \`npm run reference\`. [plan.md](plan.md) explains the keys, how values are written and
which settings may stand where. A dot leads into a map, \`[]\` into a list and \`*\` to any name of yours.
`;

type Schema = { readonly [key: string]: Json | undefined };

export function keysPage(): string {
  const schema: JsonSchema = planJsonSchema();
  const whole = asSchema(schema);
  const task = asSchema(asSchema(whole['$defs'])['task']);
  const steps = asSchema(asSchema(asSchema(task['properties'])['steps'])['items']);
  return `${[
    INTRODUCTION.trimEnd(),
    '## The plan',
    keysTable(whole, new Set()),
    '## A task',
    'It has exactly one of `prompt`, `run`, `steps`, `tasks`, `join`, `gate` and `for_each`.',
    keysTable(task, new Set(['steps'])),
    '## A step, in `steps`',
    'It has exactly one of `prompt`, `run` and `action`.',
    keysTable(steps, new Set()),
  ].join('\n\n')}\n`;
}

const asSchema = (value: unknown): Schema => {
  // The parsing side of our own schema.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
};

const keysTable = (schema: Schema, closed: ReadonlySet<string>): string =>
  table(['Key', 'Takes', 'Means'], rowsOf(schema, { path: '', closed }));

interface Place {
  readonly path: string;
  /** Keys that have a table of their own. */
  readonly closed: ReadonlySet<string>;
}

type Row = readonly [key: string, takes: string, means: string];

function rowsOf(schema: Schema, place: Place): readonly Row[] {
  const own = Object.entries(asSchema(schema['properties'])).flatMap(([name, value]) =>
    rowsOfKey(asSchema(value), { path: place.path === '' ? name : `${place.path}.${name}`, closed: place.closed }),
  );
  const inner = choicesOf(schema).flatMap((choice) => rowsOf(choice, place));
  const named = rowsBelow(asSchema(schema['additionalProperties']), { ...place, path: `${place.path}.*` });
  const listed = rowsBelow(asSchema(schema['items']), { ...place, path: `${place.path}[]` });
  return [...own, ...inner, ...named, ...listed];
}

const rowsBelow = (schema: Schema, place: Place): readonly Row[] =>
  schema['$ref'] !== undefined || Object.keys(schema).length === 0 ? [] : rowsOf(schema, place);

function rowsOfKey(schema: Schema, place: Place): readonly Row[] {
  const { description } = schema;
  const means = typeof description === 'string' ? description : '';
  const row: Row = [`\`${place.path}\``, takes(schema), means];
  return place.closed.has(place.path) || schema['$ref'] !== undefined ? [row] : [row, ...rowsOf(schema, place)];
}

const choicesOf = (schema: Schema): readonly Schema[] => {
  const choices = schema['anyOf'];
  return Array.isArray(choices) ? choices.map(asSchema) : [];
};

/** A wider range is shown as a plain number. */
const NUMBERS_MANY = 1_000_000;

/** The values of a key, in a few words. */
function takes(schema: Schema): string {
  const { enum: words, type, minimum, maximum } = schema;
  if (Array.isArray(words)) return words.map((word) => `\`${String(word)}\``).join(', ');
  const choices = choicesOf(schema);
  if (choices.length > 0) return [...new Set(choices.map(takes))].join(' or ');
  if (schema['$ref'] !== undefined) return 'a task';
  if (type === 'integer' || type === 'number')
    return minimum === undefined || (minimum === 0 && Number(maximum) >= NUMBERS_MANY)
      ? 'number'
      : `${JSON.stringify(minimum)} to ${JSON.stringify(maximum)}`;
  if (type === 'array') return `list of ${takes(asSchema(schema['items'])) || 'values'}`;
  if (type === 'object') return 'map';
  if (type === 'boolean') return '`true` or `false`';
  return type === undefined ? 'any value' : 'text';
}
