import { expect, test } from 'vitest';
import { isTooDeep, JSON_DEPTH_MAX } from './json-depth.ts';

const nested = (depth: number): string => '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);

test('JSON is too deep beyond the limit, and brackets in texts do not count', () => {
  expect(isTooDeep(nested(JSON_DEPTH_MAX))).toBe(false);
  expect(isTooDeep(nested(JSON_DEPTH_MAX + 2))).toBe(true);
  expect(isTooDeep(JSON.stringify({ a: `\\"${'['.repeat(9_999)}`, b: ['{'] }))).toBe(false);
  expect(isTooDeep(JSON.stringify(Array.from({ length: 9_999 }, () => [])))).toBe(false);
});
