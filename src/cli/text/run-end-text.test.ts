import { expect, test } from 'vitest';
import { given } from '../../core/engine/run.given.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { endLines } from './run-end-text.ts';

const TERMINAL: Terminal = {
  out: () => {},
  write: () => {},
  writeBytes: () => {},
  err: () => {},
  width: 80,
  size: () => ({ width: 80, height: 24 }),
  isTty: false,
  isInteractive: false,
  colour: false,
  unicode: true,
  far: undefined,
};

test('a run that nobody carries out is not said to be paused, and one that is paused is', () => {
  const run = given('a: { run: x }\nb: { needs: [a], run: x }');
  const last = (): string | undefined =>
    endLines(TERMINAL, { run: 'given-1', over: { type: 'waiting', for: 'resume', state: run.state() } }).at(-1);
  const [head] = endLines(TERMINAL, { run: 'given-1', over: { type: 'stopped', state: run.state() } });
  expect(head).toMatch(/^given-1 {2}not running \(no coordinator\), started .* ago$/);
  expect(last()).toBe('It has no coordinator. heddle resume given-1 goes on.');
  run.pause();
  expect(last()).toBe('It is paused. heddle resume given-1 goes on.');
});

test('a run that only a follower leaves is not said to be without a coordinator', () => {
  const run = given('a: { gate: "Go?" }');
  const over = { type: 'waiting', for: 'answer', state: run.state() } as const;
  const lines = endLines(TERMINAL, { run: 'given-1', over, isHeld: true });
  expect(lines[0]).toMatch(/^given-1 {2}running for /);
  expect(lines.at(-1)).toBe('It waits for an answer. Give it as above, and the run goes on.');
});

test('a retry is suggested where it runs something, which the losers of a race are not', () => {
  const last = (run: ReturnType<typeof given>): readonly string[] =>
    endLines(TERMINAL, { run: 'given-1', over: { type: 'ended', state: run.state() } });
  const suggestion = 'heddle retry given-1 runs again what is not done.';
  const raced = given('a: { run: x }\nb: { run: x }\nc: { needs: { race: [a, b] }, run: x }');
  for (const [task, word] of [
    ['a', 'done'],
    ['b', 'stopped'],
    ['c', 'done'],
  ] as const)
    raced.says(task, word);
  expect(raced.endings()['b']).toContain('cancelled');
  expect(last(raced)).not.toContain(suggestion);
  const failed = given('a: { run: x, attempts: 1 }');
  failed.says('a', 'timeout');
  expect(last(failed)).toContain(suggestion);
});
