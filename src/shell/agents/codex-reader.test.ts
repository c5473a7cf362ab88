import { expect, test } from 'vitest';
import { probeRequest } from './detect-agents.ts';
import { readCodex } from './codex-reader.ts';

const WAITING = 'Reconnecting... waiting for network (Connection failed: error sending request)';
const said = (value: unknown): string => JSON.stringify(value);

const given = () => readCodex({ ...probeRequest('codex', 'Do it.'), environment: {} }, () => undefined);

const STARTED = said({ type: 'thread.started', thread_id: 't1' });
const ENDED = { exit: { code: undefined, signal: undefined }, isOurs: true, hasChanges: false, stderr: '', now: 0 };

test.each([
  ['never reached its provider costs nothing', [], 0],
  [
    'lost its connection in the middle of a request has an unknown cost',
    ['Reconnecting... 1/5 (stream disconnected before completion: error sending request)'],
    undefined,
  ],
])('a program that waited for a network and %s', (_, earlier, usd) => {
  const reader = given();
  reader.line(STARTED);
  for (const message of [...earlier, ...Array.from({ length: 6 }, () => WAITING)])
    reader.line(said({ type: 'error', message }));
  expect(reader.total().spend.usd, 'while it may be asking').toBeUndefined();
  reader.verdict(ENDED);
  expect(reader.total().spend.usd).toBe(usd);
});

test('a program that waits for a network for long is stuck, and was cut off', () => {
  const reader = given();
  const heard = Array.from({ length: 6 }, () => reader.line(said({ type: 'error', message: WAITING })));
  expect(heard.map((events) => events.map(({ type }) => type))).toEqual([
    ...Array.from({ length: 5 }, () => ['retrying']),
    ['retrying', 'stuck'],
  ]);
  expect(reader.verdict(ENDED)).toEqual({
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
