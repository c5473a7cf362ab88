import { expect, test } from 'vitest';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { parseOutcome } from './read-outcome.ts';

const claim = { task: 'a', step: 'main', attempt: 2 };
const base = { ...claim, spend: { usd: 0.5, tokens: undefined } };
const result = { ok: true, response: 'fine', output: { list: [1] }, exitCode: 0, commit: undefined };
const ofCheck = { task: 'a', attempt: 2 };

const steps: readonly WorkOutcome[] = [
  { type: 'step.finished', ...base, result },
  { type: 'step.failed', ...base, reason: 'timeout', isFinal: false, result: undefined },
  { type: 'step.failed', ...base, reason: 'refused', isFinal: true, result },
  { type: 'step.limited', ...base, pool: undefined, until: 7 },
  { type: 'step.limited', ...base, pool: undefined, until: undefined, by: 'rate_limit', message: 'Too many.' },
  { type: 'step.stopped', ...base, isPartial: true },
  { type: 'step.asked', ...base, question: 'Which one?', result },
  { type: 'step.asked', ...base, question: 'May it?', permission: { tool: 'Bash', about: 'make', key: 'k' }, result },
  { type: 'step.finished', ...base, result, conversation: { id: 'c1', reading: undefined } },
  {
    type: 'step.finished',
    ...base,
    result,
    conversation: { id: 'c1', reading: { input: 1, cached: 2, output: 3, usd: 0.5 } },
  },
  { type: 'step.stopped', ...base },
  { type: 'step.lost', ...base },
];
const checks: readonly WorkOutcome[] = [
  { type: 'check.finished', ...ofCheck, ok: false, tail: 'red' },
  { type: 'check.stopped', ...ofCheck },
  { type: 'check.lost', ...ofCheck },
];

test('every outcome of a worker comes through a file as it was', () => {
  for (const outcome of steps) expect(parseOutcome(JSON.parse(JSON.stringify(outcome)), claim)).toEqual(outcome);
  const check = { ...claim, step: undefined };
  for (const outcome of checks) expect(parseOutcome(JSON.parse(JSON.stringify(outcome)), check)).toEqual(outcome);
});

test('a conversation that cannot be read is none, and the outcome stands', () => {
  const finished = { type: 'step.finished', ...base, result };
  for (const conversation of [1, {}, { id: 1 }])
    expect(parseOutcome({ ...finished, conversation }, claim)).toEqual({ ...finished, conversation: undefined });
  const readings = [7, { input: 1 }];
  for (const reading of readings)
    expect(parseOutcome({ ...finished, conversation: { id: 'c', reading } }, claim)).toMatchObject({
      conversation: { id: 'c', reading: undefined },
    });
});

test('what is not whole, not of this claim or not of a worker is no outcome', () => {
  const finished = { type: 'step.finished', ...base, result };
  const wrong: readonly unknown[] = [
    undefined,
    [],
    'step.stopped',
    { ...finished, attempt: 1 },
    { ...finished, task: 'b' },
    { ...finished, step: undefined },
    { ...finished, type: 'step.begun' },
    { ...finished, type: 'step.spending' },
    { ...finished, spend: undefined },
    { ...finished, spend: { usd: -1 } },
    { ...finished, spend: { usd: '1' } },
    { ...finished, result: undefined },
    { ...finished, result: { ...result, ok: 'yes' } },
    { ...finished, result: { ...result, exitCode: '0' } },
    { ...base, type: 'step.failed', reason: 'boredom', isFinal: false },
    { ...base, type: 'step.failed', reason: 'timeout' },
    { ...base, type: 'step.limited', until: null },
    { ...base, type: 'step.limited', until: 7, pool: 7 },
    { ...base, type: 'step.limited', until: 7, by: 'boredom' },
    { ...base, type: 'step.asked', result },
    { ...base, type: 'step.asked', question: 'What?' },
    { ...base, type: 'step.asked', question: 'May it?', result, permission: 'Bash' },
    { ...base, type: 'step.asked', question: 'May it?', result, permission: { tool: 'Bash', about: 'make' } },
    { ...base, type: 'check.finished', ok: true, tail: '' },
  ];
  for (const value of wrong) expect(parseOutcome(value, claim), JSON.stringify(value)).toBeUndefined();
  expect(parseOutcome({ ...ofCheck, type: 'check.finished', ok: true }, { ...claim, step: undefined })).toBeUndefined();
});
