import { expect, test } from 'vitest';
import { foldedRow } from './pieces.ts';

test('a sentence that is wider than the screen goes on below, further in and without colour', () => {
  const sentence = ['  ', ['bad', 'four words are said']] as const;
  expect(foldedRow({ width: 16, colour: true }, sentence)).toEqual(['  four words are', '      said']);
  expect(foldedRow({ width: 80, colour: false }, sentence)).toEqual(['  four words are said']);
});
