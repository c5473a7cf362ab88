import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvent, writeEvent } from './event-format.ts';
import { EVENT_TYPES } from './event-table.ts';
import type { RunEvent } from '../event.ts';

/** A line for every type of event, with and without its optional fields. */
const LINES = readFileSync(join(import.meta.dirname, '..', 'golden', 'log.jsonl'), 'utf8')
  .trimEnd()
  .split('\n');

function read(json: string): RunEvent {
  const answer = readEvent(json);
  if (answer.type === 'failed') throw new Error(answer.message);
  return answer.event;
}

describe('the golden log', () => {
  test('is read and written again unchanged', () => {
    for (const line of LINES) expect(JSON.parse(writeEvent(read(line)))).toEqual(JSON.parse(line));
  });

  test('has an event of every type', () => {
    expect(new Set(LINES.map((line) => read(line).type))).toEqual(new Set(EVENT_TYPES));
  });
});

describe('an event', () => {
  const ended: RunEvent = {
    type: 'claim.ended',
    at: 5,
    work: 'step',
    task: 'a',
    step: 'work',
    attempt: 1,
    ending: 'failed',
    reason: 'timeout',
    cause: undefined,
    result: {
      ok: false,
      response: 'nul \u0000 lone \uD800',
      output: null,
      exitCode: undefined,
      commit: undefined,
      stderr: undefined,
    },
    spend: { usd: 0.1, tokens: undefined },
    conversation: undefined,
    redo: undefined,
    budget: undefined,
    says: undefined,
    conflict: undefined,
  };

  test('is read as it was written, with absent and null values distinguished', () => {
    expect(read(writeEvent(ended))).toStrictEqual(ended);
  });

  test('loses unknown fields, inside its parts too', () => {
    const json = JSON.stringify({ ...ended, more: 1, spend: { usd: 0.1, euro: 1 } });
    expect(read(json)).toStrictEqual(ended);
  });

  test.each([
    ['{"type":"task.opened","at":1}', 'the field "task" of an event "task.opened" is missing or wrong'],
    ['{"type":"task.opened","at":"1","task":"a"}', 'the field "at" of an event "task.opened" is missing or wrong'],
    ['{"type":"task.cancelling","at":1,"task":"a","reason":"toString"}', 'the field "reason" of'],
    ['{"type":"step.joined","at":1,"task":"a","step":"s","ending":"done","result":{"ok":1}}', 'the field "result" of'],
    ['{"type":"step.joined","at":1,"task":"a","step":"s","ending":"done","result":[]}', 'the field "result" of'],
    ['{"type":"toString","at":1}', 'this Heddle knows no event "toString": update Heddle'],
    ['{"type":"task.reset","at":1,"tasks":[1]}', 'the field "tasks" of'],
    ['{"at":1}', 'an event has no type'],
    ['[]', 'an event is not written as a JSON object'],
    ['{"type":', 'an event is not written as a JSON object'],
  ])('that is written as %s is refused with a sentence', (json, message) => {
    expect(readEvent(json)).toEqual({ type: 'failed', message: expect.stringContaining(message) });
  });
});
