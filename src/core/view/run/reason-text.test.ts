import { expect, test } from 'vitest';
import { lastLine } from './reason-text.ts';

test('the last line of an output is the last one that its program wrote', () => {
  expect(lastLine('12 passed\nFAIL total is NaN\n\n[heddle: the check ended with exit code 1]\n')).toBe(
    'FAIL total is NaN',
  );
  expect(lastLine('[heddle: the check ended with exit code 1]\n')).toBe('[heddle: the check ended with exit code 1]');
  expect(lastLine(' \n\n')).toBeUndefined();
  expect(lastLine(undefined)).toBeUndefined();
});
