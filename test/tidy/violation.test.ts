import { expect, test } from 'vitest';
import { holds } from './violation.ts';

const violation = { path: 'src/a.ts', line: 3, says: 'this is wrong because', instead: 'Do that', rule: 'STYLE 1' };

test('no violation is no failure', () => {
  expect(() => holds([])).not.toThrow();
});

test('a failure says where, why, by which rule and what to do instead', () => {
  expect(() => holds([violation])).toThrow('src/a.ts:3 this is wrong because (STYLE 1). Do that.');
  expect(() => holds([violation, violation])).toThrow('2 places differ');
});
