// The chart of what was at work when, in the real times of a run.
import type { Compiled } from '../../compile/compiled.ts';
import { chartOf } from '../chart-of.ts';
import type { Chart } from '../chart/chart.ts';
import type { Report } from './report.ts';
import type { SpellTold } from './tell/spells.ts';

/** Something still at work lasts to the moment that is told. */
export function ganttOf(compiled: Compiled, { spells, critical, times, moments }: Report): Chart {
  const drawn = spells.map((spell) => ({
    type: spell.type,
    task: spell.task,
    step: spell.type === 'resolve' ? 'conflict' : spell.step,
    startMs: spell.startMs,
    endMs: spell.endMs ?? times.elapsedMs,
    ending: endingOf(spell),
  }));
  const chart = chartOf(compiled, { spells: drawn, critical, makespanMs: times.elapsedMs });
  const marks = moments
    .filter(({ type }) => type === 'paused' || type === 'resumed' || type === 'retried')
    .map(({ atMs, text }) => ({ atMs, label: text }));
  return { ...chart, marks };
}

function endingOf({ result }: SpellTold): 'done' | 'failed' | 'cancelled' {
  switch (result) {
    case 'failed':
    case 'returned':
    case 'conflict':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    case 'done':
    case 'skipped':
    case 'passed':
    case 'asked':
    case 'working':
      return 'done';
  }
}
