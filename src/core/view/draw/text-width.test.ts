import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf, fitColumns, textWidth } from './text-width.ts';

describe('textWidth', () => {
  test('knows narrow letters from broad ones, and capitals and ideographs from both', () => {
    const widths = ['iiii', 'rrrr', 'nnnn', '8888', 'éééé', 'ÉÉÉÉ', 'mmmm', '漢漢漢漢'].map((text) =>
      textWidth(text, 10),
    );
    expect(widths).toEqual([...widths].sort((one, other) => one - other));
    expect(textWidth('', 10)).toBe(0);
  });
});

describe('columnsOf', () => {
  test('counts two columns for East Asian characters and emoji and none for marks alone', () => {
    expect(['abc', '漢字', '🎉', '👩‍👩‍👧‍👦', 'e\u0301', '\u0301', '…', '©'].map(columnsOf)).toEqual([3, 4, 2, 2, 1, 0, 1, 1]);
  });

  test('counts one column for pictures that terminals draw as text, unless a picture is asked for', () => {
    expect(['⏺', '✔', '★', '✔\uFE0F', '⌚'].map(columnsOf)).toEqual([1, 1, 1, 2, 2]);
  });
});

describe('fitColumns', () => {
  test('fills a short text and cuts a long one, never through a wide character', () => {
    expect(fitColumns('ab', 4)).toBe('ab  ');
    expect(fitColumns('abcdef', 4)).toBe('abc…');
    expect(fitColumns('漢字漢字', 4)).toBe('漢… ');
    expect(fitColumns('漢字漢字', 6, '...')).toBe('漢... ');
    expect(fitColumns('abcdef', 2, '...')).toBe('..');
  });

  test('always gives exactly the columns asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
        expect(columnsOf(fitColumns(text, columns))).toBe(columns);
      }),
    );
  });
});
