import { describe, expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import { checkPrices, unknownPrices } from './model-prices.ts';

const said = (text: string): readonly string[] =>
  checkPrices({ file: 'prices.json', text }).map(
    ({ code, message, position }) => `${position.line}:${position.column} ${code}: ${message}`,
  );

describe('a table of prices', () => {
  test('that is right has nothing said of it', () => {
    expect(said('{}')).toEqual([]);
    expect(said('{ "a": { "input": 0, "output": 1.5 }, "b-*": { "input": 1, "cached": 0.1, "output": 2 } }')).toEqual(
      [],
    );
  });

  test.each([
    ['', '1:1 json-syntax: The table of prices is not JSON: Unexpected end of JSON input.'],
    ['{\n  "a": { "input": NaN, "output": 1 } }', expect.stringMatching(/^2:19 json-syntax: .*not JSON: /)],
    ['[1]', '1:1 wrong-type: The table of prices is a list, and should be an object with an entry for each model.'],
    ['null', expect.stringContaining('is null')],
    ['"x"', expect.stringContaining('is the text "x"')],
    ['{\n  "a": 7\n}', '2:3 wrong-type: The price of a is a number, and should be an object.'],
    [
      '{\n  "a": { "input": "cheap", "output": 1 }\n}',
      '2:10 wrong-type: The price input of a is the text "cheap", and should be a number.',
    ],
    ['{ "a": { "input": -1, "output": 1 } }', expect.stringMatching(/^1:10 out-of-range: .* is -1, and should be 0/)],
    ['{ "a": { "input": 1e999, "output": 1 } }', expect.stringContaining('is Infinity')],
    ['{ "a": { "input": 1 } }', '1:3 missing-key: The price of a must have the key output.'],
    [
      '{ "a": { "input": 1, "output": 1, "chached": 1 } }',
      '1:35 unknown-key: The key chached is not known in the price of a.',
    ],
  ])('that reads %s is reported with the fault and its position', (text, expected) => {
    expect(said(text)).toEqual([expected]);
  });

  test('has all its faults reported, with the fix', () => {
    const all = checkPrices({ file: 'p', text: '{ "a": { "inptu": 1 }, "b": [] }' });
    expect(all.map(({ code, hint }) => `${code}: ${hint.split(',')[0]}`)).toEqual([
      'unknown-key: Did you mean input?',
      'missing-key: Add "input"',
      'missing-key: Add "output"',
      'wrong-type: Write { "input": …',
    ]);
  });

  test('that is wrong lets no plan run', () => {
    const prices = [{ file: 'prices.json', text: '{' }];
    const parsed = parsePlan('heddle: 1\ntasks: { a: { run: x } }', { file: 'plan.yaml', prices });
    expect(parsed.plan).toBeUndefined();
    expect(parsed.diagnostics.map(({ file, code }) => `${file} ${code}`)).toEqual(['prices.json json-syntax']);
  });
});

function codesOf(head: string, tables: readonly Readonly<Record<string, unknown>>[] = []): readonly string[] {
  const { plan } = parsePlan(`heddle: 1\n${head}\ntasks:\n  a: { prompt: x }`, { file: 'plan.yaml' });
  if (plan === undefined) throw new Error('The plan is wrong.');
  return unknownPrices(plan, tables).map(({ agent, code }) => `${agent} ${code}`);
}

const AGENTS = `agents:
  a: { use: codex }
  b: { use: codex, model: openai/gpt-5-codex }
  c: { use: codex, model: some-model }
  d: { use: gemini }
  e: { use: gemini, model: some-model }
  f: { use: acp, command: goose acp }
  g: { use: acp, command: /bin/codex-acp, model: gpt-5 }
  h: { use: command, command: ./agent.sh }
  i: { use: claude, model: some-model }
agent: b`;

test('of each agent it is known whether its turns will have a price', () => {
  expect(codesOf(`budget: { usd: 5 }\n${AGENTS}`)).toEqual([
    'a unnamed',
    'c unlisted',
    'e unlisted',
    'f uncounted',
    'h uncounted',
  ]);
  const table = { 'some-*': { input: 1, output: 1 } };
  expect(codesOf(`budget: { usd: 5 }\n${AGENTS}`, [table])).toEqual(['a unnamed', 'f uncounted', 'h uncounted']);
});

test('without a budget in dollars no price is missed', () => {
  expect(codesOf(`budget: { tokens: 5M }\n${AGENTS}`)).toEqual([]);
});
