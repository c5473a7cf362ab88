import { expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import { unknownPrices } from './unknown-prices.ts';

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
