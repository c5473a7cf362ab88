import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokensOf } from './tokens.ts';

const shown = (text: string): readonly string[] => tokensOf(text).map((token) => `${token.type} ${token.text}`);

describe('tokensOf', () => {
  test('tells words, numbers, strings and punctuation apart', () => {
    expect(shown(`const a_1 = 0x1f + 1_000.5e-3 + 'it\\'s' ?? "b";`)).toEqual([
      'word const',
      'word a_1',
      'punctuation =',
      'number 0x1f',
      'punctuation +',
      'number 1_000.5e-3',
      'punctuation +',
      `string 'it\\'s'`,
      'punctuation ??',
      'string "b"',
      'punctuation ;',
    ]);
  });

  test('reads a slash as a division after a value and as a regular expression elsewhere', () => {
    expect(shown('a / b / c')).not.toContain('regex / b /');
    expect(shown('x = /[/]"/g.test(y)')).toContain('regex /[/]"/g');
    expect(shown('return /a"b/')).toContain('regex /a"b/');
    expect(shown('f(a) / 2; g[0] / 3')).not.toContainEqual(expect.stringMatching(/^regex/));
  });

  test('cuts a template into its parts and keeps the code between them', () => {
    expect(shown('`a${f({ b: `c${d}` })}e` + g')).toEqual([
      'template `a${',
      'word f',
      'punctuation (',
      'punctuation {',
      'word b',
      'punctuation :',
      'template `c${',
      'word d',
      'template }`',
      'punctuation }',
      'punctuation )',
      'template }e`',
      'punctuation +',
      'word g',
    ]);
  });

  test('keeps comments whole and counts lines through them', () => {
    const tokens = tokensOf('/* one\n two */ a // "b"\nc');
    expect(tokens.map(({ type, line, endLine }) => [type, line, endLine])).toEqual([
      ['comment', 1, 2],
      ['word', 2, 2],
      ['comment', 2, 2],
      ['word', 3, 3],
    ]);
  });

  test('closes nested type arguments one at a time', () => {
    expect(shown('Map<A, Set<B>>')).toEqual(expect.arrayContaining(['punctuation >', 'punctuation >']));
  });

  test('reads a hashbang as a comment and a private name as a word', () => {
    expect(shown('#!/usr/bin/env node\nthis.#count')).toEqual([
      'comment #!/usr/bin/env node',
      'word this',
      'punctuation .',
      'word #count',
    ]);
  });

  test('T1: puts every visible character into one token, in order, whatever the text', () => {
    const pieces = ['`', '${', '}', '{', '/', '*', '//', "'", '"', '\\', '\n', ' ', 'a', '1', '.', '=>', '#', '(', ')'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const tokens = tokensOf(text);
        expect(tokens.map((token) => text.slice(token.start, token.end))).toEqual(tokens.map((token) => token.text));
        const between = tokens.map((token, index) => text.slice(tokens[index - 1]?.end ?? 0, token.start));
        expect([...between, text.slice(tokens.at(-1)?.end ?? 0)].join('').trim()).toBe('');
      }),
    );
  });
});
