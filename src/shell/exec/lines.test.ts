import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LINE_MAX_BYTES, splitLines } from './lines.ts';

const linesOf = (chunks: readonly Buffer[]): readonly string[] => {
  const heard: string[] = [];
  const lines = splitLines((line) => heard.push(line));
  chunks.forEach(lines.push);
  lines.end();
  return heard;
};

test('lines are whole, however they are cut into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 9 }), (texts, size) => {
      const lines = texts.map((text) => text.replaceAll(/[\r\n]/g, ''));
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(linesOf(chunks)).toEqual(lines);
    }),
  );
});

test('a last line without an end is a line, and the ends of Windows are ends', () => {
  expect(linesOf([Buffer.from('a\r\n\nb')])).toEqual(['a', '', 'b']);
  expect(linesOf([])).toEqual([]);
});

test('of a line that is too long the first part is passed on, and the next line is whole', () => {
  const long = Buffer.alloc(LINE_MAX_BYTES - 1, 'a');
  const heard = linesOf([long, Buffer.from('bcd'), Buffer.from('ef\nnext\n')]);
  expect(heard.map((line) => line.length)).toEqual([LINE_MAX_BYTES, 4]);
  expect(heard[0]?.endsWith('ab')).toBe(true);
});
