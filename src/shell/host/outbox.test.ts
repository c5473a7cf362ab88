import { expect, test } from 'vitest';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { openOutbox } from './outbox.ts';

const lost = (task: string): WorkOutcome => ({
  type: 'lost',
  work: 'check',
  task,
  step: undefined,
  attempt: 1,
  spend: { usd: 0, tokens: 0 },
});

test('an outcome is in every message until one that carried it is answered', () => {
  const outbox = openOutbox();
  outbox.add(lost('a'));
  expect(outbox.next()).toEqual({ number: 1, done: [lost('a')] });
  outbox.add(lost('b'));
  expect(outbox.next()).toEqual({ number: 2, done: [lost('a'), lost('b')] });
  expect(outbox.acknowledge(1)).toEqual({ isLatest: false, received: [lost('a')] });
  expect(outbox.next()).toEqual({ number: 3, done: [lost('b')] });
  expect(outbox.acknowledge(3)).toEqual({ isLatest: true, received: [lost('b')] });
  expect(outbox.next()).toEqual({ number: 4, done: [] });
});

test('a reply to a message from before an outcome acknowledges nothing of it', () => {
  const outbox = openOutbox();
  outbox.next();
  outbox.add(lost('a'));
  outbox.acknowledge(1);
  expect(outbox.has('a/(check)#1')).toBe(true);
  expect(outbox.hasUnsent()).toBe(true);
});

test('only a message with outcomes is sure to be answered', () => {
  const outbox = openOutbox();
  outbox.next();
  expect(outbox.isAwaited()).toBe(false);
  outbox.add(lost('a'));
  outbox.next();
  expect(outbox.isAwaited()).toBe(true);
  outbox.acknowledge(1);
  expect(outbox.isAwaited()).toBe(true);
  outbox.acknowledge(2);
  expect(outbox.isAwaited()).toBe(false);
});
