import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

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
