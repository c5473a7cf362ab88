import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endingOf, readerOf, requestOf } from '../transcripts.given.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'heddle-session-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const counted = (input: number, output: number): string => {
  const usage = { input_tokens: input, cached_input_tokens: 40, output_tokens: output };
  return JSON.stringify({ type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage: usage } } });
};
const codexFile = (): string => join(home, '.codex/sessions/2026/11/18/rollout-2026-11-18T17-14-23-t1.jsonl');

function write(file: string, ...lines: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
}

describe('a program that writes its spend to its session file', () => {
  test('codex is heard before its turn is over, and what it prints at the end holds', () => {
    const reader = readerOf(requestOf('codex'));
    expect(reader.poll?.(home)).toEqual([]);
    reader.line('{"type":"thread.started","thread_id":"t1"}');
    expect(reader.poll?.(home)).toEqual([]);
    write(codexFile(), '{"type":"session_meta"}', counted(140, 10));
    expect(reader.poll?.(home)).toMatchObject([{ type: 'spent', spend: { tokens: 110 } }]);
    expect(reader.poll?.(home)).toEqual([]);
    write(codexFile(), counted(340, 30));
    expect(reader.poll?.(home)).toMatchObject([{ type: 'spent', spend: { tokens: 330 } }]);
    expect(reader.total()).toMatchObject({ spend: { tokens: 330 }, isPartial: true });
    reader.line('{"type":"turn.completed","usage":{"input_tokens":440,"cached_input_tokens":40,"output_tokens":30}}');
    reader.verdict(endingOf());
    expect(reader.total()).toMatchObject({ spend: { tokens: 430 }, isPartial: false });
  });

  test('earlier turns of a conversation are not counted again', () => {
    const reading = { input: 100, cached: 40, output: 10, usd: undefined };
    const reader = readerOf(requestOf('codex', { conversation: { id: 't1', mode: 'continue', reading } }));
    reader.line('{"type":"thread.started","thread_id":"t1"}');
    write(codexFile(), counted(90, 5));
    expect(reader.poll?.(home)).toEqual([]);
    write(codexFile(), counted(240, 20));
    expect(reader.poll?.(home)).toMatchObject([{ type: 'spent', spend: { tokens: 110 } }]);
  });

  test('codex counts the answers of a turn that failed in that turn alone, and a rejected one after it as nothing', () => {
    const failed =
      '{"type":"turn.failed","error":{"message":"We’re currently experiencing high demand, which may cause temporary errors."}}';
    const first = readerOf(requestOf('codex'));
    first.line('{"type":"thread.started","thread_id":"t1"}');
    write(codexFile(), counted(140, 10));
    first.line(failed);
    // Once more when the program has ended.
    expect(first.poll?.(home)).toMatchObject([{ type: 'spent', spend: { tokens: 110 } }]);
    first.verdict(endingOf());
    expect(first.total()).toMatchObject({ spend: { tokens: 110 }, isPartial: true });
    const reading = first.conversation()?.reading;
    expect(reading).toMatchObject({ input: 100, cached: 40, output: 10 });
    const conversation = { id: 't1', mode: 'continue', reading } as const;
    const second = readerOf(requestOf('codex', { conversation }));
    second.line('{"type":"thread.started","thread_id":"t1"}');
    expect(second.poll?.(home)).toEqual([]);
    second.line(failed);
    second.verdict(endingOf());
    expect(second.total()).toMatchObject({ spend: { usd: 0, tokens: 0 } });
  });

  test('gemini is heard after each answer of its model, once each', () => {
    const reader = readerOf(requestOf('gemini'));
    reader.line('{"type":"init","timestamp":"2026-11-18T17:14:48.204Z","session_id":"78493fbd-d11c","model":"m"}');
    const file = join(home, '.gemini/tmp/p/chats/session-2026-11-18T17-14-78493fbd.jsonl');
    const answer = (id: string, at: string): string =>
      JSON.stringify({ id, timestamp: at, type: 'gemini', tokens: { input: 140, output: 10, cached: 40 } });
    write(file, answer('old', '2026-11-18T16:00:00.000Z'), answer('a', '2026-11-18T17:14:49.000Z'));
    expect(reader.poll?.(home)).toMatchObject([{ type: 'spent', spend: { tokens: 110 } }]);
    write(file, answer('a', '2026-11-18T17:14:49.000Z'), answer('b', '2026-11-18T17:14:50.000Z'));
    expect(reader.poll?.(home)).toMatchObject([{ type: 'spent', spend: { tokens: 220 } }]);
  });

  test('a link in its place is not read', () => {
    const reader = readerOf(requestOf('codex'));
    reader.line('{"type":"thread.started","thread_id":"t1"}');
    writeFileSync(join(home, 'elsewhere'), `${counted(140, 10)}\n`);
    mkdirSync(dirname(codexFile()), { recursive: true });
    symlinkSync(join(home, 'elsewhere'), codexFile());
    expect(reader.poll?.(home)).toEqual([]);
  });
});
