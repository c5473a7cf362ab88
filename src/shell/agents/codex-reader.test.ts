import { expect, test } from 'vitest';
import { probeRequest } from './detect-agents.ts';
import { readCodex } from './codex-reader.ts';

const WAITING = 'Reconnecting... waiting for network (Connection failed: error sending request)';
const said = (value: unknown): string => JSON.stringify(value);

const given = () => readCodex({ ...probeRequest('codex', 'Do it.'), environment: {} }, () => undefined);

test('a program that waits for a network for long is stuck, and was cut off', () => {
  const reader = given();
  const heard = Array.from({ length: 6 }, () => reader.line(said({ type: 'error', message: WAITING })));
  expect(heard.map((events) => events.map(({ type }) => type))).toEqual([
    ...Array.from({ length: 5 }, () => ['retrying']),
    ['retrying', 'stuck'],
  ]);
  const exit = { code: undefined, signal: undefined };
  expect(reader.verdict({ exit, isOurs: true, hasChanges: false, stderr: '', now: 0 })).toEqual({
    type: 'failed',
    reason: 'cut_off',
    isFinal: false,
    message: 'Connection failed: error sending request.',
  });
});

test('a program that found its network again waits for as long the next time', () => {
  const reader = given();
  for (let times = 0; times < 5; times += 1) reader.line(said({ type: 'error', message: WAITING }));
  reader.line(said({ type: 'item.completed', item: { type: 'agent_message', text: 'Here again.' } }));
  const events = reader.line(said({ type: 'error', message: 'Reconnecting... waiting for network' }));
  expect(events.map(({ type }) => type)).toEqual(['retrying']);
});
