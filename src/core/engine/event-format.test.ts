import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EVENT_FORMAT, EVENT_TYPES, readEvent, writeEvent, type History } from './event-format.ts';
import { apply } from './apply/apply.ts';
import type { RunEvent } from './event.ts';
import { given } from './run.given.ts';
import { startState } from './state.ts';

const golden = (name: string): readonly string[] =>
  readFileSync(join(import.meta.dirname, 'golden', name), 'utf8')
    .trimEnd()
    .split('\n');

/** Written before there were conflicts and checkpoints, since, since agents are taken up again, and since plans change. */
const LINES = {
  'before merges': golden('log-1.jsonl'),
  'with merges': golden('log-1-merges.jsonl'),
  'with turns': golden('log-1-turns.jsonl'),
  'with permissions': golden('log-1-permissions.jsonl'),
  'with amendments': golden('log-1-amend.jsonl'),
};

function read(version: number, json: string): RunEvent {
  const answer = readEvent(version, json);
  if (answer.type === 'failed') throw new Error(answer.message);
  return answer.event;
}

describe('the golden logs of format 1', () => {
  test.each(Object.entries(LINES))('are read and written again without a change (%s)', (_, lines) => {
    for (const line of lines) {
      const event = read(1, line);
      expect(JSON.parse(writeEvent(event).json)).toEqual(JSON.parse(line));
    }
  });

  test('have an event of every type', () => {
    const types = Object.values(LINES)
      .flat()
      .map((line) => read(1, line).type);
    expect(new Set(types)).toEqual(new Set(EVENT_TYPES));
  });
});

describe('a run that was written before there were conflicts', () => {
  test('is folded to where it stood', () => {
    const { compiled: net } = given('a: { prompt: x, check: t }\nb: { run: x }', { tree: 'auto' });
    const state = startState(net, { policy: 'parallel', priorities: [], holds: [] });
    for (const line of golden('run-before-merges.jsonl')) apply(state, read(1, line));
    expect(state.tasks.map(({ ended }) => ended?.reason ?? ended?.ending)).toEqual(['conflict', 'done']);
    expect(state.run).toMatchObject({ stage: 'ended', base: undefined });
  });
});

describe('an event', () => {
  const ended: RunEvent = {
    type: 'step.ended',
    at: 5,
    task: 'a',
    step: 'work',
    ending: 'failed',
    reason: 'timeout',
    cause: undefined,
    result: { ok: false, response: 'nul \u0000 lone \uD800', output: null, exitCode: undefined, commit: undefined },
    spend: { usd: 0.1, tokens: undefined },
    conversation: undefined,
  };

  test('comes back as it was written, with what is absent and what is null told apart', () => {
    const { version, json } = writeEvent(ended);
    expect(version).toBe(EVENT_FORMAT);
    expect(read(version, json)).toStrictEqual(ended);
  });

  test('loses fields that nobody knows, inside its parts too', () => {
    const json = JSON.stringify({ ...ended, more: 1, spend: { usd: 0.1, euro: 1 } });
    expect(read(1, json)).toStrictEqual(ended);
  });

  test.each([
    ['{"type":"task.opened","at":1}', 'the field "task" of an event "task.opened" is missing or wrong'],
    ['{"type":"task.opened","at":"1","task":"a"}', 'the field "at" of an event "task.opened" is missing or wrong'],
    ['{"type":"task.condemned","at":1,"task":"a","reason":"toString"}', 'the field "reason" of'],
    ['{"type":"step.joined","at":1,"task":"a","step":"s","result":{"ok":1}}', 'the field "result" of'],
    ['{"type":"step.joined","at":1,"task":"a","step":"s","result":[]}', 'the field "result" of'],
    ['{"type":"toString","at":1}', 'an event of the type "toString" was written by a newer Heddle: update Heddle'],
    ['{"type":"tasks.revived","at":1,"tasks":[1]}', 'the field "tasks" of'],
    ['{"at":1}', 'an event has no type'],
    ['[]', 'an event is not written as a JSON object'],
    ['{"type":', 'an event is not written as a JSON object'],
  ])('that is written as %s is refused in words', (json, message) => {
    expect(readEvent(1, json)).toEqual({ type: 'failed', message: expect.stringContaining(message) });
  });
});

describe('formats of other times', () => {
  const invented: History = {
    latest: 3,
    upcasts: new Map([
      [1, ({ when, ...rest }) => ({ ...rest, at: when })],
      [2, (fields) => (fields['type'] === 'job.opened' ? { ...fields, type: 'task.opened' } : fields)],
    ]),
  };

  test('are brought up one version at a time', () => {
    const opened = { type: 'event', event: { type: 'task.opened', at: 7, task: 'a' } };
    expect(readEvent(1, '{"type":"job.opened","when":7,"task":"a"}', invented)).toEqual(opened);
    expect(readEvent(2, '{"type":"job.opened","at":7,"task":"a"}', invented)).toEqual(opened);
    expect(readEvent(3, '{"type":"task.opened","at":7,"task":"a"}', invented)).toEqual(opened);
  });

  test('are refused when they are newer than this Heddle', () => {
    expect(readEvent(EVENT_FORMAT + 1, '{}')).toEqual({
      type: 'failed',
      message: 'an event was written by a newer Heddle (event format 2): update Heddle',
    });
  });
});
