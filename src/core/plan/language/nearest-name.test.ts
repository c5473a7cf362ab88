import { expect, test } from 'vitest';
import { nearest } from './nearest-name.ts';

const KEYS = ['max_parallel', 'needs', 'prompt', 'run', 'timeout'];

test.each([
  ['max_paralel', 'max_parallel'],
  ['maxParallel', 'max_parallel'],
  ['max-parallel', 'max_parallel'],
  ['need', 'needs'],
  ['promtp', 'prompt'],
  ['rnu', 'run'],
  ['zebra', undefined],
  ['', undefined],
])('%s is nearest to %s', (word, meant) => {
  expect(nearest(word, KEYS)).toBe(meant);
});

test('a word is not near to one that it has nothing in common with', () => {
  expect(nearest('a', ['b', 'c'])).toBeUndefined();
  expect(nearest('a', ['b', 'a1'])).toBe('a1');
});
