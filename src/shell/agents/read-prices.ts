// Prices of tokens, for agents that do not report cost: from files that people write, else from the list that comes along.
// A model in neither has an unknown price, and unknown cost counts as the reservation (P8).
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { PriceOf } from '../ports/agents.ts';
import { findPrice, LIST_PRICES, type PriceTable } from '../../core/plan/settings/list-prices.ts';
import { isObject, type Fields } from '../../core/plan/json-fields.ts';
import { exactUsd } from './turn/usage.ts';

export const PRICES_FILE = 'prices.json';
const MILLION = 1_000_000;

/** The project's file, beside the store, comes before the user's. */
export function readPrices(home: string): PriceOf {
  const configured = process.env['XDG_CONFIG_HOME'] ?? '';
  const settings = isAbsolute(configured) ? configured : join(homedir(), '.config');
  return pricesOf([join(home, PRICES_FILE), join(settings, 'heddle', PRICES_FILE)].map(tableIn));
}

/** The tables of people come before the list prices of common models. */
export const pricesOf =
  (tables: readonly PriceTable[]): PriceOf =>
  (model, { input, cached, output }) => {
    const price = findPrice([...tables, LIST_PRICES], model);
    if (price === undefined) return undefined;
    return exactUsd((input * price.input + cached * price.cached + output * price.output) / MILLION);
  };

/** A missing file sets no price; neither does one that was damaged after the start of the run. */
function tableIn(path: string): Fields {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
