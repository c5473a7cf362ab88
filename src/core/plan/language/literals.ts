// Durations, money and counts: `1h30m`, `$12.50`, `20M`. Parsed here, and printed in the same form.

import { reportFinding } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';
import type { SourceNode } from '../source/source-node.ts';
import { withinRange } from './scalars.ts';
import { describeNode, shapeLabelOf, wrongType } from './shape.ts';
import type { Shape } from './shape.ts';

const UNITS: readonly (readonly [unit: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];
const DURATION = /^(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;
const DURATION_MS_MAX = 30 * 86_400_000;

export function duration(given: { readonly minMs: number }): Shape<number> {
  return {
    name: 'a duration',
    schema: () => ({ type: 'string', pattern: DURATION.source }),
    read: (node, reading) => {
      if (node.type === 'scalar' && typeof node.value === 'number') return needsUnit(node, reading);
      const ms = node.type === 'scalar' && typeof node.value === 'string' ? durationMs(node.value) : undefined;
      if (ms === undefined) return notLiteral({ node, reading, wanted: 'a duration such as 45m, 1h30m or 90s' });
      return withinRange({
        node,
        reading,
        value: ms,
        range: { min: given.minMs, max: DURATION_MS_MAX },
        show: showDuration,
      });
    },
  };
}

function needsUnit(node: SourceNode, reading: SourceReader): undefined {
  const number = node.type === 'scalar' ? node.value : '';
  const hint = `Add a unit: ${number}s for seconds, ${number}m for minutes, ${number}h for hours.`;
  return wrongType({ node, reading, wanted: 'a duration such as 45m, 1h30m or 90s', hint });
}

export function durationMs(text: string): number | undefined {
  const found = DURATION.exec(text);
  if (found === null) return undefined;
  return UNITS.reduce((sum, [, ms], index) => sum + Number(found[index + 1] ?? 0) * ms, 0);
}

export function showDuration(durationInMs: number): string {
  let rest = durationInMs;
  let shown = '';
  for (const [unit, ms] of UNITS) {
    const whole = Math.floor(rest / ms);
    if (whole > 0) shown += `${whole}${unit}`;
    rest -= whole * ms;
  }
  return shown === '' ? '0s' : shown;
}

const MONEY = /^\$?\d+(?:\.\d+)?$/;
const MONEY_MAX = 1_000_000;

/** US dollars. */
export function money(): Shape<number> {
  return {
    name: 'an amount of dollars',
    schema: () => ({
      anyOf: [
        { type: 'number', minimum: 0, maximum: MONEY_MAX },
        { type: 'string', pattern: MONEY.source },
      ],
    }),
    read: (node, reading) => {
      const value = amountOf(node, (text) => (MONEY.test(text) ? Number(text.replace('$', '')) : undefined));
      if (value === undefined)
        return notLiteral({ node, reading, wanted: 'an amount of dollars such as 40, 12.50 or $40' });
      return withinRange({ node, reading, value, range: { min: 0, max: MONEY_MAX }, show: String });
    },
  };
}

const COUNT = /^(\d+(?:_\d+)*(?:\.\d+)?)([kKmMgG]?)$/;
const MULTIPLIERS: Readonly<Record<string, number>> = { '': 1, k: 1000, m: 1_000_000, g: 1_000_000_000 };
const COUNT_MAX = 1_000_000_000_000;

/** A number of model tokens. */
export function count(): Shape<number> {
  const wanted = 'a whole number such as 20M, 500k or 1_000';
  return {
    name: 'a count',
    schema: () => ({
      anyOf: [
        { type: 'integer', minimum: 0, maximum: COUNT_MAX },
        { type: 'string', pattern: COUNT.source },
      ],
    }),
    read: (node, reading) => {
      const value = amountOf(node, countOf);
      if (value === undefined || !Number.isInteger(value)) return notLiteral({ node, reading, wanted });
      return withinRange({ node, reading, value, range: { min: 0, max: COUNT_MAX }, show: String });
    },
  };
}

function countOf(text: string): number | undefined {
  const found = COUNT.exec(text);
  if (found === null) return undefined;
  const multiplier = MULTIPLIERS[(found[2] ?? '').toLowerCase()] ?? 1;
  const product = Number((found[1] ?? '').replaceAll('_', '')) * multiplier;
  // 1.1M is exact in decimal, but binary fractions are not.
  const rounded = Math.round(product);
  return Math.abs(product - rounded) < 1e-6 * Math.max(1, multiplier / 1000) ? rounded : product;
}

export function showCount(tokens: number): string {
  if (tokens !== 0 && tokens % 1_000_000 === 0) return `${tokens / 1_000_000}M`;
  return tokens !== 0 && tokens % 1000 === 0 ? `${tokens / 1000}k` : String(tokens);
}

function amountOf(node: SourceNode, fromText: (text: string) => number | undefined): number | undefined {
  if (node.type !== 'scalar') return undefined;
  if (typeof node.value === 'number') return Number.isNaN(node.value) ? undefined : node.value;
  return typeof node.value === 'string' ? fromText(node.value) : undefined;
}

function notLiteral(given: {
  readonly node: SourceNode;
  readonly reading: SourceReader;
  readonly wanted: string;
}): undefined {
  const { node, reading, wanted } = given;
  if (node.type !== 'scalar' || typeof node.value !== 'string') {
    return wrongType({ node, reading, wanted, hint: 'Write it like one of these.' });
  }
  reportFinding(reading, {
    code: 'invalid-value',
    offset: node.start,
    message: `${shapeLabelOf(reading)} must be ${wanted}, got ${describeNode(node)}.`,
    hint: 'Write it like one of these, without spaces.',
  });
  return undefined;
}
