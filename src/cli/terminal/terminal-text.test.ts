import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { terminalText, textStream } from './terminal-text.ts';

const COLOURED = { colour: true };
const PLAIN = { colour: false };

/** Made of the characters of control sequences. */
const pieces = ['a', '漢', '\n', '\r', '\u001B', '[', ']', '2', ';', 'J', 'm', '\u0007', '\\', '\u009B', 'P', '\u202E'];
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((all) => all.join(''));

describe('text of agents and programs at a terminal', () => {
  test.each([
    ['a clear screen and a cursor that moves', 'a\u001B[2J\u001B[H\u001B[3;1Hb', 'ab'],
    ['a title', 'a\u001B]0;owned\u0007b\u001B]2;owned\u001B\\c', 'abc'],
    ['the clipboard', 'a\u001B]52;c;ZXZpbA==\u0007b', 'ab'],
    ['8-bit controls', 'a\u009B2Jb\u009D0;owned\u009Cc', 'abc'],
    ['device control and private strings', 'a\u001BP1$r\u001B\\b\u001B_x\u001B\\c\u001B^y\u001B\\', 'abc'],
    ['modes, resets and requests for a reply', 'a\u001B[?1049hb\u001Bcc\u001B[6nd\u001B[>4;2me', 'abcde'],
    ['character sets', 'a\u001B(0b', 'ab'],
    ['a bell and a backspace', 'rm\b\bls\u0007', 'rm^H^Hls^G'],
    ['bidirectional overrides', 'a\u202Eb\u2066c', 'a<U+202E>b<U+2066>c'],
    ['a lone escape, and a string that never ends', 'a\u001B]0;x\nb\u001B', 'a^[]0;x\nb^['],
    ['a sequence inside another', 'a\u001B\u001B[2J[31mb\u001B\u001B[2J]0;c\u0007', 'a^[[31mb^[]0;c^G'],
    ['what a return would hide', 'rm -rf /\rls\r\nnext', 'rm -rf /\nls\nnext'],
    ['letters of other scripts, tabs and emoji', 'tab\tשלום 漢 👩‍👩‍👦\n', 'tab\tשלום 漢 👩‍👩‍👦\n'],
  ])('has %s as text', (_, text, shown) => {
    expect(terminalText(text, PLAIN)).toBe(shown);
    expect(terminalText(text, COLOURED)).toBe(shown);
  });

  test('keeps its colours where they are wanted, and ends them', () => {
    const text = '\u001B[31mred\u001B[0m \u001B[38;2;1;2;3mown \u009B1mbold';
    expect(terminalText(text, PLAIN)).toBe('red own bold');
    expect(terminalText(text, COLOURED)).toBe('\u001B[31mred\u001B[0m \u001B[38;2;1;2;3mown \u001B[1mbold');
    const stream = textStream(COLOURED);
    expect(stream.write(new TextEncoder().encode('\u001B[31mred'))).toBe('\u001B[31mred');
    expect([stream.end(), stream.end()]).toEqual(['\u001B[0m', '']);
  });

  test('is the same text however it is cut into chunks', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(60), { maxLength: 6 }), (text, cuts) => {
        const bytes = new TextEncoder().encode(text);
        const stream = textStream(PLAIN);
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
        const written = at.slice(1).map((to, index) => stream.write(bytes.subarray(at[index], to)));
        expect(written.join('') + stream.end()).toBe(terminalText(text, PLAIN));
      }),
    );
  });

  test('never passes on a control but a line feed, a tab and a colour', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: 'binary', maxLength: 60 })), fc.boolean(), (text, colour) => {
        const shown = terminalText(text, { colour });
        const rest = colour ? shown.replaceAll(/\u001B\[[\d;:]*m/gu, '') : shown;
        expect(rest).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u);
      }),
    );
  });

  test('holds back no more than a sequence can be long', () => {
    const stream = textStream(PLAIN);
    const chunk = new TextEncoder().encode(`\u001B]0;${'x'.repeat(100_000)}`);
    expect(stream.write(chunk)).toMatch(/^\^\[\]0;x+$/);
  });
});
