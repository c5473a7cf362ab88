import { expect, test } from 'vitest';
import { makeBoundedCache } from './bounded-cache.ts';

test('a text is worked out once, until the oldest must go', () => {
  const asked: string[] = [];
  const cache = makeBoundedCache<number>(2);
  const lengthOf = (text: string) => cache.of(text, (source) => asked.push(source));
  for (const text of ['a', 'a', 'b', 'c', 'b', 'a']) lengthOf(text);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test('a very long text is worked out each time', () => {
  const asked: number[] = [];
  const cache = makeBoundedCache<number>(2);
  for (let time = 0; time < 2; time += 1) cache.of('x'.repeat(20_001), (source) => asked.push(source.length));
  expect(asked).toHaveLength(2);
});
