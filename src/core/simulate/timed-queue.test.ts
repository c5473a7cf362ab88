import { expect, test } from 'vitest';
import { timedQueue } from './timed-queue.ts';

test('things come earliest first, and in the order added among equals', () => {
  const things = timedQueue<string>();
  const times = [5, 1, 5, 3, 1, 9, 0, 5];
  times.forEach((at, index) => things.add(at, `${at}-${index}`));
  const came: string[] = [];
  for (let next = things.next(); next !== undefined; next = things.next()) came.push(...next.items);
  expect(came).toEqual(['0-6', '1-1', '1-4', '3-3', '5-0', '5-2', '5-7', '9-5']);
});

test('things of one time come together', () => {
  const things = timedQueue<string>();
  for (const [at, item] of [
    [2, 'b'],
    [1, 'a'],
    [2, 'c'],
  ] as const)
    things.add(at, item);
  expect(things.next()).toEqual({ at: 1, items: ['a'] });
  expect(things.next()).toEqual({ at: 2, items: ['b', 'c'] });
});

test('an empty timedQueue returns undefined', () => {
  const things = timedQueue<string>();
  expect(things.next()).toBeUndefined();
  things.add(1, 'a');
  expect(things.next()).toEqual({ at: 1, items: ['a'] });
  expect(things.next()).toBeUndefined();
});
