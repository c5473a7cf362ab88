// Checks price tables: JSON files with the token prices of each model.
//
// model-prices/R1. A table with any fault is refused as a whole: a silently missing price would disable a budget in
//   dollars.
import type { Diagnostic } from '../diagnostic.ts';
import type { SettingsText } from './setting-layers.ts';
import { findPrice, LIST_PRICES, type PriceTable } from './list-prices.ts';
import { nearest } from '../language/nearest-name.ts';
import type { Agent, Plan } from '../plan.ts';
import { indexPlan } from '../check/plan-index.ts';

const KEYS = ['input', 'cached', 'output'] as const;
const NEEDED = ['input', 'output'] as const;
const EXAMPLE = '{ "some-model-*": { "input": 1.25, "cached": 0.125, "output": 10 } }';

type PriceFields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is PriceFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type FoundPrice = Pick<Diagnostic, 'code' | 'message' | 'hint' | 'path'>;

export function checkPrices({ file, text }: SettingsText): readonly Diagnostic[] {
  const read = readJson(text);
  const about = { severity: 'error', file } as const;
  if ('trouble' in read) return [{ ...about, position: positionIn(text, read.trouble), ...notJson(read.trouble) }];
  return wrongIn(read.value).map((each) => ({ ...about, position: positionOf(text, each.path), ...each }));
}

/** The table in a text; none where it cannot be read, which is reported by itself. */
export function priceTableIn({ text }: SettingsText): readonly PriceTable[] {
  const read = readJson(text);
  return 'value' in read && isFields(read.value) ? [read.value] : [];
}

const TOKEN = /\s*(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]|$)/y;

/** The position of a JSON syntax error; for text that is not JSON at all the engine reports none. */
function positionIn(text: string, trouble: string): Diagnostic['position'] {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(trouble) ?? [];
  if (line !== undefined && column !== undefined) return { line: Number(line), column: Number(column) };
  let offset = 0;
  for (TOKEN.lastIndex = 0; offset < text.length && TOKEN.test(text);) offset = TOKEN.lastIndex;
  return positionAt(text, offset + (/\S/.exec(text.slice(offset))?.index ?? 0));
}

function readJson(text: string): { readonly value: unknown } | { readonly trouble: string } {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch (error) {
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
}

const notJson = (trouble: string): FoundPrice => ({
  code: 'json-syntax',
  message: `The table of prices is not JSON: ${trouble}.`,
  hint: `Put it right, or remove the file. A table looks like this: ${EXAMPLE}.`,
  path: [],
});

function wrongIn(value: unknown): readonly FoundPrice[] {
  if (!isFields(value))
    return [
      {
        code: 'wrong-type',
        message: `The table of prices is ${nameOf(value)}, and should be an object with an entry for each model.`,
        hint: `Write it like this: ${EXAMPLE}.`,
        path: [],
      },
    ];
  return Object.entries(value).flatMap(([model, entry]) => wrongInEntry(model, entry));
}

function wrongInEntry(model: string, entry: unknown): readonly FoundPrice[] {
  if (!isFields(entry))
    return [
      {
        code: 'wrong-type',
        message: `The price of ${model} is ${nameOf(entry)}, and should be an object.`,
        hint: 'Write { "input": …, "output": … }, in US dollars for a million tokens.',
        path: [model],
      },
    ];
  return [
    ...Object.entries(entry).flatMap(([key, amount]) => wrongPart(model, key, amount)),
    ...NEEDED.filter((key) => !Object.hasOwn(entry, key)).map((key) => ({
      code: 'missing-key',
      message: `The price of ${model} must have the key ${key}.`,
      hint: `Add "${key}", in US dollars for a million tokens; without it nothing that ${model} does has a price.`,
      path: [model],
    })),
  ];
}

function wrongPart(model: string, key: string, amount: unknown): readonly FoundPrice[] {
  const path = [model, key];
  if (!KEYS.some((known) => known === key)) {
    const meant = nearest(key, KEYS);
    const hint = meant === undefined ? `Known keys are ${KEYS.join(', ')}.` : `Did you mean ${meant}?`;
    return [{ code: 'unknown-key', message: `The key ${key} is not known in the price of ${model}.`, hint, path }];
  }
  const hint = 'Write US dollars for a million tokens, such as 1.25.';
  if (typeof amount !== 'number')
    return [
      {
        code: 'wrong-type',
        message: `The price ${key} of ${model} is ${nameOf(amount)}, and should be a number.`,
        hint,
        path,
      },
    ];
  if (Number.isFinite(amount) && amount >= 0) return [];
  return [
    {
      code: 'out-of-range',
      message: `The price ${key} of ${model} is ${amount}, and should be 0 or more.`,
      hint,
      path,
    },
  ];
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? `the text ${JSON.stringify(value)}` : `a ${typeof value}`;
}

/** The position of the last name of a path, each name searched after the one before it. */
function positionOf(text: string, path: Diagnostic['path']): Diagnostic['position'] {
  let offset = 0;
  for (const name of path) offset = Math.max(offset, text.indexOf(JSON.stringify(name), offset));
  return positionAt(text, offset);
}

function positionAt(text: string, offset: number): Diagnostic['position'] {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

export interface UnknownPrice {
  readonly agent: string;
  /** `uncounted`: the program reports no tokens; `unnamed`: the plan names no model; `unlisted`: no table has the model. */
  readonly code: 'uncounted' | 'unnamed' | 'unlisted';
  readonly model: string | undefined;
}

/** Programs of the protocol that report the tokens of a turn. */
const COUNTING: ReadonlySet<string> = new Set(['claude-agent-acp', 'codex-acp']);

/** Agents without a known cost per turn, where a budget in dollars depends on it. `tables` come before the list prices. */
export function unknownPrices(plan: Plan, tables: readonly PriceTable[]): readonly UnknownPrice[] {
  const isInDollars = [plan.budget, ...indexPlan(plan).tasks.map(({ task }) => task.budget)].some(
    (budget) => budget?.usd !== undefined,
  );
  if (!isInDollars) return [];
  return plan.agents.flatMap((agent) => {
    const code = codeFor(agent, [...tables, LIST_PRICES]);
    return code === undefined ? [] : [{ agent: agent.name, code, model: agent.model }];
  });
}

function codeFor({ use, model, command = '' }: Agent, tables: readonly PriceTable[]): UnknownPrice['code'] | undefined {
  const program = command.trim().split(/\s+/)[0]?.split('/').at(-1) ?? '';
  const isCounted = use === 'codex' || (use === 'acp' && COUNTING.has(program));
  if (use === 'command' || (use === 'acp' && !isCounted)) return 'uncounted';
  // Gemini CLI names the model that it took; the others report a cost.
  if (!isCounted && use !== 'gemini') return undefined;
  if (model === undefined) return isCounted ? 'unnamed' : undefined;
  return findPrice(tables, model) === undefined ? 'unlisted' : undefined;
}
