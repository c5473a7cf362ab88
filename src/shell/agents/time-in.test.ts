import { describe, expect, test } from 'vitest';
import { timeIn } from './time-in.ts';

const at = (...when: [number, number, number, number, number, number?]): number => new Date(...when).getTime();

describe('a time to try again, in words', () => {
  const now = at(2026, 10, 16, 14, 10, 39);

  test('is over when the minute that it names is', () => {
    expect(timeIn('or try again at 2:12 PM.', now)).toBe(at(2026, 10, 16, 14, 13));
    expect(timeIn('or try again at 2:10 PM.', now)).toBe(at(2026, 10, 16, 14, 11));
  });

  test('that has just passed is not tomorrow', () => {
    expect(timeIn('try again at 2:05 PM', now)).toBe(at(2026, 10, 16, 14, 6));
  });

  test('of the night is the coming one', () => {
    expect(timeIn('try again at 1:30 AM', now)).toBe(at(2026, 10, 17, 1, 31));
    expect(timeIn('try again at 12:00 AM', now)).toBe(at(2026, 10, 17, 0, 1));
  });

  test('may have a day', () => {
    expect(timeIn('try again at Nov 20th, 2026 3:04 PM.', now)).toBe(at(2026, 10, 20, 15, 5));
  });

  test('is not made up where none is named', () => {
    expect(timeIn('try again later', now)).toBeUndefined();
    expect(timeIn('try again at Foo 99th, 2026 3:04 PM', now)).toBeUndefined();
  });
});
