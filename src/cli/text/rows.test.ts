import { expect, test } from 'vitest';
import { foldedRow, wrapWords } from './rows.ts';

test('a sentence that is wider than the screen goes on below, further in and without colour', () => {
  const sentence = ['  ', ['bad', 'four words are said']] as const;
  expect(foldedRow({ width: 16, colour: true }, sentence)).toEqual(['  four words are', '      said']);
  expect(foldedRow({ width: 80, colour: false }, sentence)).toEqual(['  four words are said']);
});

test('a long line is cut between words, with the spaces that it begins with', () => {
  expect(wrapWords('  one two three four', 11)).toEqual(['  one two', 'three four']);
  expect(wrapWords('\tone two', 9)).toEqual(['    one', 'two']);
  expect(wrapWords('short', 9)).toEqual(['short']);
});

test('a word that is too long is cut where the columns end, by what a terminal shows', () => {
  expect(wrapWords('aaaaaaaaaa b', 4)).toEqual(['aaaa', 'aaaa', 'aa b']);
  expect(wrapWords('漢漢漢 b', 4)).toEqual(['漢漢', '漢 b']);
});
