import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { linearPattern } from './linear-pattern.ts';

function matches(source: string, text: string): boolean | string {
  const pattern = linearPattern(source);
  return pattern.type === 'pattern' ? pattern.test(text) : pattern.why;
}

const ATOMS = [
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\b',
  '\\B',
  '\\u0061',
  '\\x62',
  '\\.',
  '\\p{L}',
  '😀',
  ' ',
];
const QUANTIFIERS = ['', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?'];

/** Texts of valid patterns, with groups, choices and edges. */
const patterns = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('part'), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((options) => options.map((parts) => parts.join('')).join('|')),
  part: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'pattern' },
    fc.constantFrom('^', '$'),
    fc
      .tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...QUANTIFIERS))
      .map(([atom, sign]) => (/^\\[bB]$/.test(atom) ? atom : `${atom}${sign}`)),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('pattern'), fc.constantFrom(...QUANTIFIERS))
      .map(([open, inner, sign]) => `${open}${inner})${sign}`),
  ),
})).pattern;

describe('a pattern that matches in linear time', () => {
  test('agrees with the engine, for patterns and texts of any form', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '.', '😀'), maxLength: 8 });
    fc.assert(
      fc.property(patterns, texts, (source, text) => {
        // V8 looks for `\B` between the two halves of a character, where the standard has no position.
        fc.pre(!source.includes('\\B') || !text.includes('😀'));
        let native: RegExp;
        try {
          native = new RegExp(source, 'u');
        } catch {
          // Two groups of one name, which is no pattern.
          return;
        }
        expect(matches(source, text), `${source} on ${text}`).toBe(native.test(text));
      }),
      { numRuns: 2_000, seed: 2026 },
    );
  });

  test.each([
    ['^(a+)+$', `${'a'.repeat(50_000)}!`, false],
    ['^(a|a)*$', `${'a'.repeat(20_000)}!`, false],
    ['a*a*a*a*a*a*b', 'a'.repeat(20_000), false],
    ['^(?:[a-z]{1,20}){1,20}$', `${'a'.repeat(400)}!`, false],
    ['^\\d{4}-\\d{2}$', '2026-11', true],
    ['^[\\w\\-\\.]+@[a-z]+$', 'a.b-c@d', true],
    ['^[^]*$', 'a\nb', true],
    ['[]', 'a', false],
    ['^\\ud83d\\ude00$', '😀', true],
  ])('%s ends soon and says %s', (source, text, expected) => {
    expect(matches(source, text)).toBe(expected);
  });

  test.each([
    ['(?=a)b', 'it looks ahead or behind'],
    ['(?<!a)b', 'it looks ahead or behind'],
    ['(a)\\1', 'it refers back to a group'],
    ['(?<n>a)\\k<n>', 'it refers back to a group'],
    ['(', 'it is not a regular expression'],
    ['(?:(?:a{1,99}){1,99}){1,99}', 'it has more than 4000 states'],
  ])('%s is refused, because %s', (source, why) => {
    expect(linearPattern(source)).toEqual({ type: 'refused', why });
  });

  test('a text too long for a large pattern is refused by its size', () => {
    expect(() => matches('^[ab]{1000}$', 'a'.repeat(100_000))).toThrow(RangeError);
  });
});
