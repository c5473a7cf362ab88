import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { outputFileOf } from '../../app/read/output-reader.ts';
import { openTails } from './tails.ts';

const CLAIM = { task: 'a', step: 'main', attempt: 1 };

function givenOutput(): { readonly home: string; readonly prints: (text: string) => void } {
  const home = mkdtempSync(join(tmpdir(), 'heddle-tails-'));
  const file = outputFileOf({ home, run: 'run-1', claim: CLAIM });
  mkdirSync(dirname(file), { recursive: true });
  return { home, prints: (text) => appendFileSync(file, text) };
}

test('the last line that says anything is told, as it grows', () => {
  const { home, prints } = givenOutput();
  const { lastLine } = openTails(home, 'run-1');
  expect(lastLine(CLAIM)).toBeUndefined();
  prints('one\n');
  expect(lastLine(CLAIM)).toBe('one');
  prints('two\n\n  \n');
  expect(lastLine(CLAIM)).toBe('two');
});

test('a line is as a terminal would leave it, and nothing in it steers one', () => {
  const { home, prints } = givenOutput();
  const { lastLine } = openTails(home, 'run-1');
  prints('10 %\r50 %\r\u001B[31m90 %\u001B[0m\r\n');
  expect(lastLine(CLAIM)).toBe('90 %');
});

test('of a long output only the end is read, from the start of a line', () => {
  const { home, prints } = givenOutput();
  prints(Array.from({ length: 60_000 }, (_, at) => `line ${at}\n`).join(''));
  const lines = openTails(home, 'run-1').lines(CLAIM);
  expect(lines.at(-1)).toBe('line 59999');
  expect(lines[0]).toMatch(/^line \d+$/);
  expect(lines.length).toBeLessThan(40_000);
});
