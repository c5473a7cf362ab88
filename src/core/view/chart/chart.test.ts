import { describe, expect, test } from 'vitest';
import { chartBySlot, chartEnd, clampBar, foldRows, ticksOf } from './chart.ts';
import { givenChart } from './chart.given.ts';

describe('a chart', () => {
  test('ends no earlier than its last bar, and never at nothing', () => {
    expect(chartEnd(givenChart({ a: ['work 0-9'] }, 5))).toBe(540_000);
    expect(chartEnd({ title: '', rows: [], endMs: 0 })).toBe(1);
    expect(chartEnd({ title: '', rows: [], endMs: Number.NaN })).toBe(1);
  });

  test('keeps every bar inside (chart/G1)', () => {
    expect(clampBar({ kind: 'work', startMs: -5, endMs: 50 }, 10)).toEqual({ kind: 'work', startMs: 0, endMs: 10 });
    expect(clampBar({ kind: 'work', startMs: 7, endMs: 3 }, 10)).toMatchObject({ startMs: 7, endMs: 7 });
    expect(clampBar({ kind: 'work', startMs: Number.NaN, endMs: 3 }, 10)).toMatchObject({ startMs: 0, endMs: 3 });
  });

  test('folds to the critical path and the first rows, in order, and counts the rest (chart/G2)', () => {
    const { rows } = givenChart(
      { a: ['work 0-1'], b: ['work 0-1'], c: ['work 0-1!'], d: ['work 0-1'], e: ['work 0-1!'] },
      1,
    );
    expect(foldRows(rows, 5).hidden).toBe(0);
    const folded = foldRows(rows, 4);
    expect([folded.rows.map((row) => row.label), folded.hidden]).toEqual([['a', 'c', 'e'], 2]);
    expect(foldRows(rows, 1).rows.map((row) => row.label)).toEqual(['c']);
  });

  test('by slot: as many rows as claims ran at once, and each bar names its task', () => {
    const chart = givenChart({ a: ['work 0-4', 'check 4-5'], b: ['waiting 0-1', 'work 1-3'], c: ['work 3-6'] }, 6);
    const bySlot = chartBySlot(chart);
    expect(
      bySlot.rows.map((row) => `${row.label}: ${row.bars.map((bar) => `${bar.label} ${bar.kind}`).join(', ')}`),
    ).toEqual(['slot 1: a work, a check', 'slot 2: b work, c work']);
    const labelled = {
      ...chart,
      rows: [{ label: 'a', bars: [{ kind: 'work' as const, startMs: 0, endMs: 1, label: 'try 2' }] }],
    };
    expect(chartBySlot(labelled).rows[0]?.bars[0]?.label).toBe('a · try 2');
  });
});

test('ticks are round moments, never more than there is room for', () => {
  expect(ticksOf(42 * 60_000, 5).map((ms) => ms / 60_000)).toEqual([0, 10, 20, 30, 40]);
  expect(ticksOf(900, 10)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
  expect(ticksOf(1e13, 4).length).toBeLessThanOrEqual(5);
});
