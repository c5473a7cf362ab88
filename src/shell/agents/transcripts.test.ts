// Results of readers for recorded turns of real programs, and for arbitrary input.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../ports/agents.ts';
import { ADAPTERS } from './adapters.ts';
import { endingOf, heardIn, requestOf, readerOf, transcriptsOf } from './transcripts.given.ts';

const KINDS = ['claude', 'codex', 'opencode', 'gemini', 'pi'];

function told(verdict: Verdict): string {
  switch (verdict.type) {
    case 'finished':
      return `finished: ${verdict.result.response ?? ''}`;
    case 'limited':
      return verdict.by;
    case 'failed':
      return `${verdict.reason}${verdict.isFinal ? ', final' : ''}`;
  }
}

/** The name of each recording, and the expected result. */
const EXPECTED: Readonly<Record<string, string>> = {
  done: 'finished: All done.',
  recovered: 'finished: ok',
  bad_request: 'bad_request, final',
  authentication: 'authentication, final',
  context: 'context, final',
  refused: 'refused, final',
  rate_limit: 'rate_limit',
  quota: 'quota',
  overloaded: 'overloaded',
  cut_off: 'cut_off',
  permission: 'permission, final',
};

/**
 * Codex says nothing at all when it is refused, so what it was is a guess, and guesses are tried again. With a key of the
 * interface, Claude Code tells a quota in the words of a rate.
 */
const DIFFERENT: Readonly<Record<string, string>> = { 'codex refused': 'refused', 'claude quota': 'rate_limit' };

/** The provider did not answer; a turn that was cut off or rejected may have used uncounted tokens. */
const REJECTED: ReadonlySet<string> = new Set([
  'bad_request',
  'authentication',
  'context',
  'rate_limit',
  'quota',
  'overloaded',
]);

describe.each(KINDS)('a recorded turn of %s', (kind) => {
  const others = transcriptsOf(kind).filter(({ name }) => name !== 'drafted');
  test.each(others.map(({ name }) => [name]))('that was %s is told as such', (name) => {
    const transcript = transcriptsOf(kind).find((each) => each.name === name);
    if (transcript === undefined) throw new Error(`There is no recording of ${name}.`);
    const isOurs = transcript.exitCode === 124;
    const { verdict, conversation } = heardIn(transcript, requestOf(kind), { isOurs, hasChanges: name === 'done' });
    expect(told(verdict), JSON.stringify(verdict)).toBe(DIFFERENT[`${kind} ${name}`] ?? EXPECTED[name]);
    if (name === 'done') expect(conversation).toMatch(/.{10}/);
  });

  test.each(others.map(({ name }) => [name]))('that was %s costs what it used', (name) => {
    const transcript = transcriptsOf(kind).find((each) => each.name === name);
    if (transcript === undefined) throw new Error(`There is no recording of ${name}.`);
    const { total } = heardIn(transcript, requestOf(kind), { isOurs: transcript.exitCode === 124 });
    const { usd, tokens } = total.spend;
    // It shortens a conversation that is too long by asking its model.
    const isAsked = `${kind} ${name}` === 'opencode context';
    if (REJECTED.has(name) && !isAsked) expect([usd, tokens]).toEqual([0, 0]);
    else expect([usd, tokens], name).not.toEqual([0, 0]);
  });

  test('tells of its tools, from when they begin to when they are over, and of what it has spent', () => {
    const [done] = transcriptsOf(kind);
    if (done === undefined) throw new Error('There is nothing recorded.');
    const { events } = heardIn(done, requestOf(kind));
    const called = events.flatMap((event) => (event.type === 'tool.called' ? [event.id] : []));
    const ended = events.flatMap((event) => (event.type === 'tool.ended' ? [event.id] : []));
    expect(called).toHaveLength(2);
    expect(ended).toEqual(called);
    const spent = events.flatMap((event) => (event.type === 'spent' ? [event.spend.tokens] : []));
    expect(spent.at(-1)).toBe(3 * 110);
  });
});

const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.anything());
/** Lines in the form of some program, with arbitrary content. */
const noise = fc
  .record({
    type: fc.constantFrom(
      'assistant',
      'user',
      'system',
      'result',
      'rate_limit_event',
      'turn.completed',
      'turn.failed',
      'item.completed',
      'item.started',
      'error',
      'step_finish',
      'tool_use',
      'text',
      'message',
      'init',
      'message_end',
      'agent_settled',
      'end',
      'error',
      'permission',
    ),
    message: value,
    item: value,
    part: value,
    usage: value,
    error: value,
    result: value,
    stats: value,
    session_id: value,
    is_error: value,
    errors: value,
  })
  .map((said) => JSON.stringify(said, (_, each: unknown) => (typeof each === 'bigint' ? `${each}` : each)));
const line = fc.oneof(fc.string(), fc.json(), noise, fc.constantFrom('{', '{"type":', '[]', 'null', '{"__proto__":1}'));
const recorded = fc.constantFrom(...KINDS.flatMap((kind) => transcriptsOf(kind).flatMap(({ lines }) => lines)));
/** A line of a program, cut off somewhere or with another piece in it. */
const damaged = fc
  .tuple(recorded, fc.nat(), fc.string())
  .map(([text, at, piece]) => `${text.slice(0, at % (text.length + 1))}${piece}`);

test.each([...ADAPTERS.keys()].map((use) => [use]))('whatever %s prints is read, and always has a verdict', (use) => {
  const exit = fc.record({
    code: fc.constantFrom(0, 1, 144, undefined),
    signal: fc.constantFrom(undefined, 'SIGKILL'),
  });
  const lines = fc.array(fc.oneof(line, recorded, damaged), { maxLength: 20 });
  fc.assert(
    fc.property(lines, exit, fc.boolean(), (printed, ended, isOurs) => {
      const reader = readerOf(requestOf(use, {}, { command: 'goose' }));
      for (const each of printed) {
        reader.line(each);
        reader.stderr(each);
      }
      const verdict = reader.verdict(endingOf({ exit: ended, isOurs, stderr: printed.join('\n') }));
      if (verdict.type === 'finished') expect(ended).toEqual({ code: 0, signal: undefined });
      else expect(verdict.message.length).toBeGreaterThan(0);
      reader.conversation();
    }),
  );
});
