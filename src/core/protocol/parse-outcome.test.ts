import { expect, test } from 'vitest';
import type { ClaimRef } from './assignment.ts';
import type { WorkOutcome } from './work-outcome.ts';
import { parseOutcome } from './parse-outcome.ts';

const claim: ClaimRef = { work: 'step', task: 'a', step: 'main', attempt: 2 };
const check: ClaimRef = { work: 'check', task: 'a', step: undefined, attempt: 2 };
const base = { ...claim, spend: { usd: 0.5, tokens: undefined } };
const result = { ok: true, response: 'fine', output: { list: [1] }, exitCode: 0, commit: undefined };
const ofCheck = { ...check, spend: { usd: 0, tokens: 0 } };

const steps: readonly WorkOutcome[] = [
  { type: 'finished', ...base, result },
  { type: 'failed', ...base, reason: 'timeout', isFinal: false, result: undefined },
  { type: 'failed', ...base, reason: 'refused', isFinal: true, result },
  { type: 'limited', ...base, pool: undefined, until: 7 },
  { type: 'limited', ...base, pool: undefined, until: undefined, by: 'rate_limit', message: 'Too many.' },
  { type: 'stopped', ...base, isPartial: true },
  { type: 'asked', ...base, question: 'Which one?', result },
  { type: 'asked', ...base, question: 'May it?', permission: { tool: 'Bash', about: 'make', key: 'k' }, result },
  { type: 'finished', ...base, result, conversation: { id: 'c1', reading: undefined } },
  {
    type: 'finished',
    ...base,
    result,
    conversation: { id: 'c1', reading: { input: 1, cached: 2, output: 3, usd: 0.5 } },
  },
  { type: 'stopped', ...base },
  { type: 'lost', ...base },
];
const checks: readonly WorkOutcome[] = [
  { type: 'finished', ...ofCheck, result: { ...result, ok: false, response: 'red' } },
  { type: 'stopped', ...ofCheck },
  { type: 'lost', ...ofCheck },
];

test('every outcome of a worker comes through a file as it was', () => {
  for (const outcome of steps) expect(parseOutcome(JSON.parse(JSON.stringify(outcome)), claim)).toEqual(outcome);
  for (const outcome of checks) expect(parseOutcome(JSON.parse(JSON.stringify(outcome)), check)).toEqual(outcome);
});

test('a conversation that cannot be read is none, and the outcome stands', () => {
  const finished = { type: 'finished', ...base, result };
  for (const conversation of [1, {}, { id: 1 }])
    expect(parseOutcome({ ...finished, conversation }, claim)).toEqual({ ...finished, conversation: undefined });
  const readings = [7, { input: 1 }];
  for (const reading of readings)
    expect(parseOutcome({ ...finished, conversation: { id: 'c', reading } }, claim)).toMatchObject({
      conversation: { id: 'c', reading: undefined },
    });
});

test('what is not whole, not of this claim or not of a worker is no outcome', () => {
  const finished = { type: 'finished', ...base, result };
  const wrong: readonly unknown[] = [
    undefined,
    [],
    'stopped',
    { ...finished, attempt: 1 },
    { ...finished, task: 'b' },
    { ...finished, step: undefined },
    { ...finished, type: 'begun' },
    { ...finished, type: 'spending' },
    { ...finished, spend: undefined },
    { ...finished, spend: { usd: -1 } },
    { ...finished, spend: { usd: '1' } },
    { ...finished, result: undefined },
    { ...finished, result: { ...result, ok: 'yes' } },
    { ...finished, result: { ...result, exitCode: '0' } },
    { ...base, type: 'failed', reason: 'boredom', isFinal: false },
    { ...base, type: 'failed', reason: 'timeout' },
    { ...base, type: 'limited', until: null },
    { ...base, type: 'limited', until: 7, pool: 7 },
    { ...base, type: 'limited', until: 7, by: 'boredom' },
    { ...base, type: 'asked', result },
    { ...base, type: 'asked', question: 'What?' },
    { ...base, type: 'asked', question: 'May it?', result, permission: 'Bash' },
    { ...base, type: 'asked', question: 'May it?', result, permission: { tool: 'Bash', about: 'make' } },
    { ...finished, work: 'resolve' },
    { ...finished, work: 'sleep' },
  ];
  for (const value of wrong) expect(parseOutcome(value, claim), JSON.stringify(value)).toBeUndefined();
  expect(parseOutcome({ ...ofCheck, type: 'finished', ok: true }, check)).toBeUndefined();
});
