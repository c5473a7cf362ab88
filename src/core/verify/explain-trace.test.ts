import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explainTrace } from './explain-trace.ts';
import { FINDING_CODES, type NetFinding } from './net-finding.ts';
import { netFrom } from './net-text.given.ts';

const net = netFrom('claim a: source -> a.working\nclaim b: a.working -> b.working\nend: b.working -> sink');
const deadlock: NetFinding = {
  code: 'deadlock',
  sentence: 'A deadlock can be reached.',
  trace: [0, 1],
  traceOf: 'net',
  marking: [{ place: 1, tokens: 1 }],
  astray: [{ place: 1, tokens: 1 }],
  transition: undefined,
  place: undefined,
};

test('a deadlock is explained by its trace and the stuck tokens', () => {
  expect(explainTrace(deadlock, net)).toBe(
    'After claim a, claim b nothing can happen, but a.working still holds a token.',
  );
});

test('the caller may name transitions in other words', () => {
  const told = explainTrace(deadlock, net, { describe: (transition) => `step ${transition + 1}` });
  expect(told).toBe('After step 1, step 2 nothing can happen, but a.working still holds a token.');
});

test('a way in the reduced net says that it leaves steps out', () => {
  expect(explainTrace({ ...deadlock, traceOf: 'reduced net' }, net)).toMatch(
    /token\. \(Steps that .* are left out\.\)$/,
  );
});

test('a finding without a way is its sentence', () => {
  expect(explainTrace({ ...deadlock, trace: undefined }, net)).toBe('A deadlock can be reached.');
});

test('a fault of the first marking needs no way', () => {
  expect(explainTrace({ ...deadlock, trace: [], astray: [] }, net)).toBe('At the very start nothing can happen.');
});

test('a long trace is shortened in the middle, and of many places only the first are listed', () => {
  const trace = Array.from({ length: 30 }, () => 0);
  const astray = Array.from({ length: 9 }, () => ({ place: 2, tokens: 2 }));
  const told = explainTrace({ ...deadlock, trace, astray }, net);
  expect(told).toContain('… (6 more) …');
  expect(told).toMatch(/b\.working 2 tokens, 3 more places some\.$/);
});

test('every kind of finding has words of its own', () => {
  const told = FINDING_CODES.map((code) => explainTrace({ ...deadlock, code, astray: [] }, net));
  expect(told.filter((words) => words.endsWith('this shows.')).length).toBe(4);
  expect(new Set(told).size).toBe(FINDING_CODES.length - 3);
});

test('names fall back to numbers', () => {
  const told = explainTrace({ ...deadlock, trace: [99], astray: [{ place: 99, tokens: 1 }] }, net);
  expect(told).toBe('After transition 99 nothing can happen, but place 99 still holds a token.');
});

test('every finding has its part of the reference, and the reference knows no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/findings.md'), 'utf8');
  const told = [...page.matchAll(/^### `([a-z-]+)`$/gmu)].map(([, code]) => code);
  expect(told).toEqual([...FINDING_CODES]);
});
