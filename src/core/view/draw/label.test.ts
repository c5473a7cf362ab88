import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanLine, graphemesOf, shorten, wrap } from './label.ts';
import { HOSTILE_LABELS } from './xml.given.ts';

describe('cleanLine', () => {
  test('joins lines and drops control characters of terminals and of text direction', () => {
    expect(cleanLine(' a\n\tb\u001B[31m\u202Ec\u0000 ')).toBe('a b\uFFFD[31m\uFFFDc\uFFFD');
    expect(cleanLine('\uD800x')).toBe('\uFFFDx');
  });

  test('leaves a plain line as it is', () => {
    expect(cleanLine('run npm test -- orders')).toBe('run npm test -- orders');
  });
});

describe('shorten', () => {
  test('cuts between graphemes and adds an ellipsis', () => {
    expect(shorten('abcdef', 6)).toBe('abcdef');
    expect(shorten('abcdefg', 6)).toBe('abcde…');
    expect(shorten('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2)).toBe('👩‍👩‍👧‍👦…');
    expect(shorten('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2)).toBe('👩‍👩‍👧‍👦👩‍👩‍👧‍👦');
  });

  test('is never longer than asked, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...HOSTILE_LABELS)),
        fc.integer({ min: 1, max: 40 }),
        (text, most) => {
          const short = shorten(text, most);
          expect(graphemesOf(short).length).toBeLessThanOrEqual(most);
          expect(short).not.toMatch(/\p{Cc}/u);
        },
      ),
    );
  });
});

test('characters that never join are taken apart as all others are', () => {
  const single = fc.constantFrom(...'a ~é¡˿·…—“→↿─▐█▸◿');
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  fc.assert(
    fc.property(fc.array(fc.oneof(single, fc.string({ unit: 'grapheme', maxLength: 1 }))), (characters) => {
      const text = characters.join('');
      expect(graphemesOf(text)).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment));
    }),
  );
  for (const [from, to] of [
    [0x20, 0x7e],
    [0xa1, 0x2ff],
    [0x2010, 0x2027],
    [0x2190, 0x21ff],
    [0x2500, 0x25ff],
    [0x2700, 0x27bf],
  ] as const) {
    const all = Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));
    expect(Array.from(segmenter.segment(all.join('')), ({ segment }) => segment)).toEqual(all);
  }
});

describe('wrap', () => {
  test('breaks at spaces, keeps to the number of lines and shortens the last', () => {
    expect(wrap('Ship the checkout flow?', 12, 2)).toEqual(['Ship the', 'checkout fl…']);
    expect(wrap('Ship the checkout flow to all the customers we have', 12, 2)).toEqual(['Ship the', 'checkout fl…']);
    expect(wrap('Ship it?', 12, 2)).toEqual(['Ship it?']);
  });
});
