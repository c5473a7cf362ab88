import { describe, expect, test } from 'vitest';
import { LINE_CHARACTERS_MAX, PLAIN_STYLE, readAnsiLine } from './ansi-line.ts';

const ESC = String.fromCodePoint(0x1b);
const textOf = (line: string): string =>
  readAnsiLine(line, PLAIN_STYLE)
    .spans.map(({ text }) => text)
    .join('');

describe('a line of output', () => {
  test('has the colours of a terminal as styles, which go on in the next line', () => {
    const { spans, end } = readAnsiLine(`a${ESC}[1;31mb${ESC}[39mc`, PLAIN_STYLE);
    expect(spans.map(({ text, style }) => [text, style.colour, style.isBold])).toEqual([
      ['a', undefined, false],
      ['b', 1, true],
      ['c', undefined, true],
    ]);
    expect(end.isBold).toBe(true);
  });

  test('has no other escape, no control character and no link to the terminal', () => {
    expect(textOf(`${ESC}[2J${ESC}[10;5Hx${ESC}]8;;http://evil${ESC}\\y${ESC}]0;title\u0007z\u0000\u0008`)).toBe('xyz');
  });

  test('an escape that is cut off at the end of the line leaves nothing', () => {
    expect(textOf(`x${ESC}[3`)).toBe('x');
    expect(textOf(`x${ESC}`)).toBe('x');
  });

  test('shows the marks that turn the direction of text', () => {
    expect(textOf('a\u202Eb')).toBe('a[U+202E]b');
  });

  test('is text whatever it says', () => {
    expect(textOf('<script>alert(1)</script>')).toBe('<script>alert(1)</script>');
  });

  test('has only what was written last over the same place', () => {
    expect(textOf('10%\r50%\r100%\r')).toBe('100%');
  });

  test('is cut with a mark when it is very long', () => {
    const { spans } = readAnsiLine('x'.repeat(LINE_CHARACTERS_MAX + 7), PLAIN_STYLE);
    expect(spans.map(({ text, isMark }) => [text.length > 100 ? 'long' : text, isMark])).toEqual([
      ['long', false],
      [' … 7 more characters', true],
    ]);
  });

  test('colours of larger palettes become the nearest of sixteen', () => {
    const colourAfter = (codes: string): number | undefined => readAnsiLine(`${ESC}[${codes}m`, PLAIN_STYLE).end.colour;
    expect([colourAfter('38;5;9'), colourAfter('38;5;196'), colourAfter('38;2;10;200;20')]).toEqual([9, 1, 2]);
  });
});
