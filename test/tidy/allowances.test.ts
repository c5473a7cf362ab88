import { expect, test } from 'vitest';
import { beyond, type Allowed } from './allowances.ts';
import type { Finding } from './rules/file-layout.ts';

const finding = (key: string): Finding => ({
  key,
  path: key,
  line: 1,
  says: 'is found',
  instead: 'Stop',
  rule: 'STYLE 1',
});
const allowed: Allowed = { rule: 'STYLE 1', keys: ['a', 'b'] };

test('what is allowed passes, and what is not does not', () => {
  expect(beyond(allowed, [finding('a'), finding('b')])).toEqual([]);
  expect(beyond(allowed, [finding('a'), finding('b'), finding('c')])).toMatchObject([{ path: 'c' }]);
});

test('what is allowed and no longer found is to be taken off the list', () => {
  expect(beyond(allowed, [finding('a')])).toMatchObject([
    { path: 'test/tidy/allowances.ts', says: expect.stringContaining('"b"') },
  ]);
});
