import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pricesOf, PRICES_FILE, readPrices } from './read-prices.ts';
import { plus, since, spendOf } from './turn/usage.ts';

const MILLION = { input: 1_000_000, cached: 1_000_000, output: 1_000_000, usd: undefined };

test('tokens cost what the table says of the closest name, and what it does not name is not known', () => {
  const priceOf = pricesOf([
    { 'big-1': { input: 2, cached: 0.5, output: 10 }, 'big-*': { input: 1, output: 1 } },
    { 'big-1': { input: 9, output: 9 }, small: { input: 'cheap', output: 1 }, odd: 7 },
  ]);
  expect(priceOf('big-1', MILLION)).toBe(12.5);
  expect(priceOf('big-2', MILLION)).toBe(3);
  for (const model of ['small', 'odd', 'unheard-of', '']) expect(priceOf(model, MILLION)).toBeUndefined();
});

test('common models have a list price, dated and of any provider, and tables come before the list', () => {
  for (const model of ['gpt-5', 'gpt-5-2025-08-07', 'openai/gpt-5', 'gemini-2.5-pro'])
    expect([model, pricesOf([])(model, MILLION)]).toEqual([model, 11.375]);
  expect(pricesOf([])('gpt-5-codex-of-nobody', MILLION)).toBeUndefined();
  expect(pricesOf([{ 'gpt-5': { input: 0, output: 0 } }])('gpt-5', MILLION)).toBe(0);
});

test('the table is a file beside the store, and one that cannot be read prices nothing', () => {
  const home = mkdtempSync(join(tmpdir(), 'heddle-prices-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  expect(readPrices(home)('model-of-nobody', MILLION)).toBeUndefined();
  writeFileSync(join(home, PRICES_FILE), '{"model-of-nobody": {"input": 1, "output": 2}}');
  expect(readPrices(home)('model-of-nobody', MILLION)).toBe(4);
  writeFileSync(join(home, PRICES_FILE), '[1');
  expect(readPrices(home)('model-of-nobody', MILLION)).toBeUndefined();
});

test('a counter that goes on is read as a difference, and one that began again as what it shows', () => {
  const reading = { input: 10, cached: 4, output: 2, usd: 0.1 };
  expect(since({ input: 15, cached: 4, output: 3, usd: 0.3 }, reading)).toEqual({
    input: 5,
    cached: 0,
    output: 1,
    usd: 0.2,
  });
  expect(since({ input: 5, cached: 1, output: 1, usd: 0.02 }, reading)).toEqual({
    input: 5,
    cached: 1,
    output: 1,
    usd: 0.02,
  });
  expect(since({ input: 15, cached: 4, output: 3, usd: undefined }, reading).usd).toBeUndefined();
  expect(since({ input: 15, cached: 4, output: 3, usd: 0.3 }, { ...reading, usd: undefined }).usd).toBe(0.3);
  expect(since(reading, undefined)).toEqual(reading);
});

test('what was read from a cache is counted apart, and dollars that nobody knows stay unknown', () => {
  const unknown = { input: 1, cached: 9, output: 1, usd: undefined };
  expect(spendOf(plus(unknown, unknown))).toEqual({ usd: undefined, tokens: 4 });
  expect(plus(unknown, { ...unknown, usd: 0.1 }).usd).toBe(0.1);
});

test('the example of a table is one', () => {
  const example = new URL('../../../examples/prices.json', import.meta.url);
  // It is read here and nowhere else.
  const priceOf = pricesOf([JSON.parse(readFileSync(example, 'utf8')) as Readonly<Record<string, unknown>>]);
  expect(priceOf('example-model', MILLION)).toBe(11.375);
  expect(priceOf('example-model-small-2', MILLION)).toBe(2.275);
});
