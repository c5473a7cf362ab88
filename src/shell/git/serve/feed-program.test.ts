import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { startPiped } from '../../exec/piped-process.ts';
import { feedProgram } from './feed-program.ts';

const MB = 1024 * 1024;
const start = (...words: readonly string[]) =>
  startPiped(words, {
    cwd: '/',
    environment: process.env,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
  });

test('the input is read to its end when the program exits while it is waited for', async () => {
  const program = start('sleep', '0.2');
  const input = Readable.from(Array.from({ length: 4 }, () => Buffer.alloc(MB)));
  expect(await feedProgram(program, input, 4 * MB)).toBe(4 * MB);
  expect(await program.ended).toEqual({ type: 'exited', code: 0 });
});

test('at most so many bytes are passed on, and all are counted', async () => {
  const program = start('wc', '-c');
  let printed = '';
  program.stdout.on('data', (part: Buffer) => {
    printed += part.toString('utf8');
  });
  const input = Readable.from(Array.from({ length: 4 }, () => Buffer.alloc(1_000)));
  expect(await feedProgram(program, input, 2_500)).toBe(4_000);
  await program.ended;
  expect(printed.trim()).toBe('2000');
});
