import { expect, test } from 'vitest';
import { formatCount, formatDuration, formatMoment, formatMoney } from './format.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test('durations have one or two parts and carry when they round', () => {
  const said = [
    0,
    0.4,
    7,
    999.6,
    1000,
    4230,
    9960,
    42_000,
    59_600,
    61_000,
    5.5 * MINUTE,
    59.995 * MINUTE,
    HOUR,
    65 * MINUTE,
    23.999 * HOUR,
    51 * HOUR,
    2900 * HOUR,
    1e300,
  ];
  expect(said.map(formatDuration)).toMatchInlineSnapshot(`
    [
      "0s",
      "<1ms",
      "7ms",
      "1s",
      "1s",
      "4.2s",
      "10s",
      "42s",
      "1m 00s",
      "1m 01s",
      "5m 30s",
      "1h 00m",
      "1h 00m",
      "1h 05m",
      "1d 00h",
      "2d 03h",
      "121d",
      ">99999d",
    ]
  `);
  expect([-4230, Number.NaN, Infinity].map(formatDuration)).toEqual(['-4.2s', '–', '–']);
});

test('a time on an axis leaves out parts that are zero', () => {
  expect([0, 30 * MINUTE, 90 * SECOND, 2 * HOUR, 48 * HOUR].map(formatMoment)).toEqual([
    '0s',
    '30m',
    '1m 30s',
    '2h',
    '2d',
  ]);
});

test('money has cents, thousands apart, and never looks free when it is not', () => {
  expect([0, 0.004, 0.42, 12.3, 1234.5, 1_234_567.891, -3].map(formatMoney)).toMatchInlineSnapshot(`
    [
      "$0.00",
      "<$0.01",
      "$0.42",
      "$12.30",
      "$1,234.50",
      "$1,234,567.89",
      "-$3.00",
    ]
  `);
  expect(formatMoney(Number.NaN)).toBe('–');
});

test('counts keep two or three figures', () => {
  expect([0, 7, 999, 1000, 1234, 12_345, 123_456, 999_999, 1_200_000, 2.5e9, -1500].map(formatCount))
    .toMatchInlineSnapshot(`
    [
      "0",
      "7",
      "999",
      "1k",
      "1.2k",
      "12k",
      "123k",
      "1M",
      "1.2M",
      "2.5G",
      "-1.5k",
    ]
  `);
  expect(formatCount(Infinity)).toBe('–');
});
