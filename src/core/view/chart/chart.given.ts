import fc from 'fast-check';
import { BAR_KINDS } from './chart.ts';
import type { Bar, Chart } from './chart.ts';

const MINUTE = 60_000;

/** `work 0-7!` is work from minute 0 to 7 on the critical path. */
export function givenBar(text: string): Bar {
  const [, kind = '', start = '', end = '', mark] = /^(\w+) ([\d.]+)-([\d.]+)(!?)$/u.exec(text) ?? [];
  const known = BAR_KINDS.find((one) => one === kind) ?? 'work';
  return { kind: known, startMs: Number(start) * MINUTE, endMs: Number(end) * MINUTE, critical: mark === '!' };
}

export function givenChart(rows: Readonly<Record<string, readonly string[]>>, endMinutes: number): Chart {
  const entries = Object.entries(rows).map(([label, bars]) => ({ label, bars: bars.map(givenBar) }));
  return { title: 'given', endMs: endMinutes * MINUTE, rows: entries };
}

/** Charts with any numbers, sensible or not. */
export const anyChart: fc.Arbitrary<Chart> = fc.record({
  title: fc.string({ unit: 'grapheme' }),
  endMs: fc.double(),
  lanes: fc.constantFrom('task' as const, 'slot' as const, undefined),
  marks: fc.array(
    fc.record({ atMs: fc.double({ min: -10, max: 1e7, noNaN: true }), label: fc.string({ unit: 'grapheme' }) }),
    { maxLength: 2 },
  ),
  rows: fc.array(
    fc.record({
      label: fc.string({ unit: 'grapheme' }),
      bars: fc.array(
        fc.record({
          startMs: fc.oneof(fc.double(), fc.integer({ min: 0, max: 10_000_000 })),
          endMs: fc.oneof(fc.double({ max: 1e12 }), fc.integer({ min: 0, max: 10_000_000 })),
          kind: fc.constantFrom(...BAR_KINDS),
          critical: fc.boolean(),
        }),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 12 },
  ),
});
