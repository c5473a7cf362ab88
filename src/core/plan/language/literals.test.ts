import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readYaml } from '../source/read-yaml.ts';
import { count, duration, money, showCount, showDuration } from './literals.ts';
import type { Shape } from './shape.ts';

function read(shape: Shape<number>, text: string): number | string | undefined {
  const { reading, root } = readYaml('x.yaml', text);
  reading.path.push('key');
  const value = root === undefined ? undefined : shape.read(root, reading);
  return value ?? reading.diagnostics[0]?.code;
}

describe('durations', () => {
  test.each([
    ['45m', 2_700_000],
    ['1h30m', 5_400_000],
    ['90s', 90_000],
    ['500ms', 500],
    ['2d', 172_800_000],
    ['1m500ms', 60_500],
    ['45', 'wrong-type'],
    ['[45m]', 'wrong-type'],
    ['soon', 'invalid-value'],
    ['30m1h', 'invalid-value'],
    ['1.5h', 'invalid-value'],
    ['-5m', 'invalid-value'],
    ['99999d', 'out-of-range'],
  ])('%s is read as %s', (text, expected) => {
    expect(read(duration({ minMs: 0 }), text)).toBe(expected);
  });

  test('below the least they are refused by name', () => {
    expect(read(duration({ minMs: 1000 }), '5ms')).toBe('out-of-range');
  });

  test('a shown value is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), (ms) => {
        expect(read(duration({ minMs: 0 }), showDuration(ms))).toBe(ms);
      }),
    );
  });
});

describe('money', () => {
  test.each([
    ['40', 40],
    ['12.50', 12.5],
    ['$40', 40],
    ['"$0.25"', 0.25],
    ['-1', 'out-of-range'],
    ['.nan', 'wrong-type'],
    ['40€', 'invalid-value'],
    ['true', 'wrong-type'],
    ['9999999999', 'out-of-range'],
  ])('%s is read as %s', (text, expected) => {
    expect(read(money(), text)).toBe(expected);
  });
});

describe('counts', () => {
  test.each([
    ['20M', 20_000_000],
    ['500k', 500_000],
    ['1_000', 1000],
    ['1.1M', 1_100_000],
    ['1000', 1000],
    ['1.5', 'wrong-type'],
    ['0.0001k', 'invalid-value'],
    ['many', 'invalid-value'],
    ['9999G', 'out-of-range'],
  ])('%s is read as %s', (text, expected) => {
    expect(read(count(), text)).toBe(expected);
  });

  test('a shown value is read back', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000_000), (tokens) => {
        expect(read(count(), showCount(tokens))).toBe(tokens);
      }),
    );
  });
});
