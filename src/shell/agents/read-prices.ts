// Prices of tokens, for agents that do not report cost: from files that people write, in US dollars per million tokens.
// A model in no file has an unknown price, and unknown cost counts as the reservation (P8).
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { PriceOf } from '../ports/agents.ts';
import { amountAt, isFields, type Fields } from './turn/fields.ts';
import { exactUsd } from './turn/usage.ts';

export const PRICES_FILE = 'prices.json';
const MILLION = 1_000_000;

/** The project's file, beside the store, comes before the user's. */
export function readPrices(home: string): PriceOf {
  const configured = process.env['XDG_CONFIG_HOME'] ?? '';
  const settings = isAbsolute(configured) ? configured : join(homedir(), '.config');
  return pricesOf([join(home, PRICES_FILE), join(settings, 'heddle', PRICES_FILE)].map(tableIn));
}

/** Names match exactly, or by prefix when they end with a star. */
export function pricesOf(tables: readonly Fields[]): PriceOf {
  return (model, { input, cached, output }) => {
    const price = tables.map((table) => entryFor(table, model)).find((found) => found !== undefined);
    const perInput = price === undefined ? undefined : amountAt(price, 'input');
    const perOutput = price === undefined ? undefined : amountAt(price, 'output');
    if (price === undefined || perInput === undefined || perOutput === undefined) return undefined;
    const perCached = amountAt(price, 'cached') ?? perInput;
    return exactUsd((input * perInput + cached * perCached + output * perOutput) / MILLION);
  };
}

function entryFor(table: Fields, model: string): Fields | undefined {
  if (model === '') return undefined;
  const names = Object.keys(table).filter((name) =>
    name.endsWith('*') ? model.startsWith(name.slice(0, -1)) : name === model,
  );
  // The longest match wins.
  const [closest] = names.toSorted((one, other) => other.length - one.length);
  const entry = closest === undefined ? undefined : table[closest];
  return isFields(entry) ? entry : undefined;
}

/** A missing file sets no price; neither does one that was damaged after the start of the run. */
function tableIn(path: string): Fields {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
