import { expect, test } from 'vitest';
import { appendText, findLines, NO_OUTPUT, prependText, outputSpansOf } from './output-text.ts';

const ESC = String.fromCodePoint(0x1b);

test('pieces that are cut inside of a line become whole lines', () => {
  const text = appendText(appendText(NO_OUTPUT, 'one\ntw'), 'o\nthree');
  expect(text.lines).toEqual(['one', 'two', 'three']);
});

test('earlier text is put before, and says how many lines came', () => {
  const text = prependText(appendText(NO_OUTPUT, 'ree\nfour'), 'one\ntwo\nth');
  expect(text).toEqual({ lines: ['one', 'two', 'three', 'four'], before: 2 });
});

test('a colour goes on in the lines after it', () => {
  const { lines } = appendText(NO_OUTPUT, `${ESC}[32mgreen\nstill\n${ESC}[0mplain`);
  expect([1, 2].map((index) => outputSpansOf(lines, index)[0]?.style.colour)).toEqual([2, undefined]);
});

test('lines are found regardless of case', () => {
  expect(findLines(['FAIL a', 'ok', 'fail b'], 'fail')).toEqual([0, 2]);
  expect(findLines(['a'], '')).toEqual([]);
});
