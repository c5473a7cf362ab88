import { expect, test } from 'vitest';
import { wrapWords } from './wrap.ts';

test('a long line is cut between words, with the spaces that it begins with', () => {
  expect(wrapWords('  one two three four', 11)).toEqual(['  one two', 'three four']);
  expect(wrapWords('\tone two', 9)).toEqual(['    one', 'two']);
  expect(wrapWords('short', 9)).toEqual(['short']);
});

test('a word that is too long is cut where the columns end, by what a terminal shows', () => {
  expect(wrapWords('aaaaaaaaaa b', 4)).toEqual(['aaaa', 'aaaa', 'aa b']);
  expect(wrapWords('漢漢漢 b', 4)).toEqual(['漢漢', '漢 b']);
});
