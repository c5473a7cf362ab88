import { expect, test } from 'vitest';
import type { ReadEnd } from '../../app/read/output-reader.ts';
import { openTails } from './read-tasks.ts';

const CLAIM = { work: 'step', task: 'a', step: 'main', attempt: 1 } as const;

function givenOutput(): { readonly readEnd: ReadEnd; readonly prints: (text: string) => void } {
  let printed = Buffer.alloc(0);
  return {
    prints: (text) => {
      printed = Buffer.concat([printed, Buffer.from(text)]);
    },
    readEnd: (_, bytesMax, known) => {
      const mark = String(printed.length);
      if (printed.length === 0 || known?.mark === mark) return known;
      return { mark, text: printed.subarray(-bytesMax).toString(), from: Math.max(0, printed.length - bytesMax) };
    },
  };
}

test('the last line that says anything is told, as it grows', () => {
  const { readEnd, prints } = givenOutput();
  const { lastLine } = openTails(readEnd);
  expect(lastLine(CLAIM)).toBeUndefined();
  prints('one\n');
  expect(lastLine(CLAIM)).toBe('one');
  prints('two\n\n  \n');
  expect(lastLine(CLAIM)).toBe('two');
});

test('a line is as a terminal would leave it, and nothing in it steers one', () => {
  const { readEnd, prints } = givenOutput();
  const { lastLine } = openTails(readEnd);
  prints('10 %\r50 %\r\u001B[31m90 %\u001B[0m\r\n');
  expect(lastLine(CLAIM)).toBe('90 %');
});

test('of a long output only the end is read, from the start of a line, and a line keeps its position', () => {
  const { readEnd, prints } = givenOutput();
  prints(Array.from({ length: 150_000 }, (_, at) => `línea ${at}\n`).join(''));
  const { output } = openTails(readEnd);
  const { lines, isCut } = output(CLAIM);
  expect(isCut).toBe(true);
  expect(lines.at(-1)?.text).toBe('línea 149999');
  expect(lines[0]?.text).toMatch(/^línea \d+$/);
  expect(lines.length).toBeLessThan(120_000);
  prints('more\n'.repeat(1000));
  const [first] = output(CLAIM).lines;
  expect(lines.find(({ at }) => at === first?.at)?.text).toBe(first?.text);
});
