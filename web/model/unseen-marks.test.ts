import { expect, test } from 'vitest';
import { markUnseen } from './unseen-marks.ts';

const shown = (text: string): string =>
  markUnseen(text)
    .map((piece) => piece.text)
    .join('');

test('what cannot be seen is shown as a mark, and nothing is left out', () => {
  expect(shown('if (isAdmin\u202E) { // \u2066begin')).toBe('if (isAdmin[U+202E]) { // [U+2066]begin');
  expect(shown('evil\rinnocent \u001B[31mred\u0000')).toBe('evil[U+000D]innocent [U+001B][31mred[U+0000]');
  expect(shown('a\u200Bb\u200Dc')).toBe('a[U+200B]b[U+200D]c');
});

test('line feeds, tabs, returns at the end of a line and emoji are text', () => {
  expect(shown('one\r\n\ttwo\r')).toBe('one\n\ttwo');
  expect(shown('👩\u200D💻 👍🏽 ❤️\u200D🔥')).toBe('👩\u200D💻 👍🏽 ❤️\u200D🔥');
  expect(markUnseen('')).toEqual([]);
});
