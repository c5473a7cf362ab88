// List prices of common models, for agents that report tokens and no cost, in US dollars per million tokens: input, input
// read from a cache, output. Tables of people come first.
//
// Limit: some providers charge more for very long prompts, and another price for batches and priority. When that matters,
// write the price into prices.json.
import { isAmount, isObject } from '../json-fields.ts';

/** When the list was made. */
export const LIST_PRICES_DATE = '2026-09-22';

type Row = readonly [input: number, cached: number, output: number, ...models: readonly string[]];

const ROWS: readonly Row[] = [
  [2, 0.5, 8, 'gpt-4.1', 'o3'],
  [0.4, 0.1, 1.6, 'gpt-4.1-mini'],
  [0.1, 0.025, 0.4, 'gpt-4.1-nano'],
  [2.5, 1.25, 10, 'gpt-4o'],
  [0.15, 0.075, 0.6, 'gpt-4o-mini'],
  [1.1, 0.275, 4.4, 'o4-mini'],
  [1.25, 0.125, 10, 'gpt-5', 'gpt-5-codex', 'gpt-5.1', 'gpt-5.1-codex', 'gpt-5.1-codex-max', 'gemini-2.5-pro'],
  [0.25, 0.025, 2, 'gpt-5-mini', 'gpt-5.1-codex-mini'],
  [0.05, 0.005, 0.4, 'gpt-5-nano'],
  [1.75, 0.175, 14, 'gpt-5.2', 'gpt-5.2-codex', 'gpt-5.3-codex', 'gpt-5.3-codex-spark'],
  [2.5, 0.25, 15, 'gpt-5.4'],
  [0.75, 0.075, 4.5, 'gpt-5.4-mini'],
  [0.2, 0.02, 1.25, 'gpt-5.4-nano'],
  [5, 0.5, 30, 'gpt-5.5'],
  [0.2, 0.02, 1.2, 'gpt-5.6-luna'],
  [4, 0.4, 20, 'gpt-5.6-sol'],
  [2, 0.2, 12, 'gpt-5.6-terra', 'gemini-3.1-pro-preview', 'gemini-3.1-pro-preview-customtools'],
  [10, 1, 50, 'gpt-6-astra', 'claude-fable-5'],
  [0.1, 0.01, 0.5, 'gpt-6-luna'],
  [2, 0.2, 10, 'gpt-6-sol', 'claude-sonnet-5'],
  [0.3, 0.03, 2.5, 'gemini-2.5-flash', 'gemini-3.5-flash-lite'],
  [0.1, 0.01, 0.4, 'gemini-2.5-flash-lite'],
  [0.5, 0.05, 3, 'gemini-3-flash-preview'],
  [0.25, 0.025, 1.5, 'gemini-3.1-flash-lite', 'gemini-3.1-flash-lite-preview', 'gemini-flash-lite-latest'],
  [1.5, 0.15, 9, 'gemini-3.5-flash', 'gemini-flash-latest'],
  [0.75, 0.075, 3.75, 'gemini-3.6-flash', 'gemini-3.7-flash', 'gemini-3.8-flash'],
  [1, 0.1, 5, 'claude-haiku-4-5'],
  [3, 0.3, 15, 'claude-sonnet-4-5', 'claude-sonnet-4-6', 'kimi-k3'],
  [5, 0.5, 25, 'claude-opus-4-5', 'claude-opus-4-6', 'claude-opus-4-7', 'claude-opus-4-8', 'claude-opus-5'],
  [4, 0.2, 20, 'claude-opus-5-5'],
  [10, 0.25, 50, 'claude-fable-5-1'],
  [0.95, 0.16, 4, 'kimi-k2.6'],
  [0.95, 0.19, 4, 'kimi-k2.7-code'],
  [1.25, 0.2, 2.5, 'grok-4.3'],
  [2, 0.3, 6, 'grok-4.5'],
  [2, 0.5, 6, 'grok-4.6', 'grok-4.7'],
  [0.3, 0.006, 1.2, 'deepseek-flash'],
  [1.32, 0.044, 3.96, 'deepseek-v4-pro'],
  [0.6, 0.11, 2.2, 'glm-4.7'],
  [1.4, 0.26, 4.4, 'glm-5.2', 'glm-5.3'],
  [0.15, 0.03, 0.5, 'glm-5.3-flash'],
];

/** By the name of a model, or the beginning of its name and a star. */
export type PriceTable = Readonly<Record<string, unknown>>;

/** Dated versions of a model cost what the model costs. */
export const LIST_PRICES: PriceTable = Object.fromEntries(
  ROWS.flatMap(([input, cached, output, ...models]) =>
    models.flatMap((model) => [model, `${model}-20*`].map((name) => [name, { input, cached, output }])),
  ),
);

export interface ModelPrice {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** The price in the first table that has one, by the longest name that fits; a provider before the name is left out. */
export function findPrice(tables: readonly PriceTable[], model: string): ModelPrice | undefined {
  const names = [model, model.slice(model.lastIndexOf('/') + 1)];
  for (const table of tables)
    for (const name of names) {
      const price = priceIn(table, name);
      if (price !== undefined) return price;
    }
  return undefined;
}

function priceIn(table: PriceTable, model: string): ModelPrice | undefined {
  if (model === '') return undefined;
  const names = Object.keys(table).filter((name) =>
    name.endsWith('*') ? model.startsWith(name.slice(0, -1)) : name === model,
  );
  const [closest] = names.toSorted((one, other) => other.length - one.length);
  const entry = closest === undefined ? undefined : table[closest];
  if (!isObject(entry)) return undefined;
  const { input, output, cached = input } = entry;
  return isAmount(input) && isAmount(output) && isAmount(cached) ? { input, cached, output } : undefined;
}
