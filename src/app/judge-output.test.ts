import { expect, test } from 'vitest';
import { judgeOutput } from './judge-output.ts';

const nested = (depth: number): unknown => (depth === 0 ? 'leaf' : [nested(depth - 1)]);

test('an output whose judgement takes for ever is refused after a while, and others are judged', () => {
  const list = { type: 'array', items: { $ref: '#' } } as const;
  const branching = { anyOf: [list, { ...list }] };
  expect(judgeOutput(branching, nested(60), 50)).toBe(
    'it cannot be judged within 0.05 seconds; make the schema simpler',
  );
  expect(judgeOutput(branching, [[]])).toBeUndefined();
  expect(judgeOutput(branching, 'leaf')).toContain('must be array');
  expect(judgeOutput({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(1000)}b`)).toContain('must match pattern');
});
