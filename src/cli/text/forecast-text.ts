// The forecast of a plan in a few aligned lines.
import type { Plan } from '../../core/plan/plan.ts';
import type { Contradiction } from '../../core/simulate/estimate.ts';
import type { Forecast } from '../../core/simulate/forecast.ts';
import type { TrackRecord } from '../../core/simulate/track-record.ts';
import { formatMoment } from '../../core/view/chart/format.ts';
import { forecastRows } from '../../core/view/text/forecast-rows.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { plural } from '../../core/view/text/count-text.ts';
import { aligned } from './rows.ts';

export function forecastLines(terminal: Terminal, plan: Plan, forecast: Forecast): readonly string[] {
  const { rows, note } = forecastRows(plan, forecast);
  return [paint(terminal, 'strong', 'Forecast'), ...aligned(rows), paint(terminal, 'quiet', `  ${note}`)];
}

/** Evidence of earlier runs about the forecast: how often its ranges held, and the stated estimates they contradict. */
export function historyLines(
  terminal: Pick<Terminal, 'colour'>,
  {
    record,
    contradictions = [],
  }: { readonly record: TrackRecord | undefined; readonly contradictions?: readonly Contradiction[] },
): readonly string[] {
  const held =
    record === undefined || record.of === 0
      ? []
      : [paint(terminal, 'quiet', `  such ranges held for ${record.held} of ${plural(record.of, 'earlier run')}`)];
  const contradicted = contradictions.map(({ task, step, statedMs, seenMs, runs }) => {
    const name = step === undefined || step === 'main' ? task : `${task}/${step}`;
    const took = `took ${formatMoment(seenMs)} in ${plural(runs, 'earlier run')}, by which the forecast goes`;
    return `  ${paint(terminal, 'warn', 'warning')} ${name} is estimated at ${formatMoment(statedMs)} and ${took}; change its estimate`;
  });
  return [...held, ...contradicted];
}

export function criticalLines(terminal: Terminal, { critical }: Forecast): readonly string[] {
  if (critical.length === 0) return [];
  const total = critical.reduce((sum, { ms }) => sum + ms, 0);
  const parts = critical
    .filter(({ type }) => type !== 'merge')
    .map(
      ({ type, task, step, ms }) =>
        `${task}${type === 'check' ? ' check' : step === 'main' ? '' : `/${step ?? ''}`} ${formatMoment(ms)}`,
    );
  return [
    `${paint(terminal, 'strong', 'Critical path')}  ${formatMoment(total)}`,
    ...wrapped(parts, terminal.width - 2).map((line) => `  ${line}`),
  ];
}

const PARTS_MAX = 24;

function wrapped(parts: readonly string[], width: number): readonly string[] {
  const shown =
    parts.length <= PARTS_MAX
      ? parts
      : [...parts.slice(0, PARTS_MAX / 2), `… ${parts.length - PARTS_MAX} more …`, ...parts.slice(-PARTS_MAX / 2)];
  const lines: string[] = [];
  for (const part of shown) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(part);
    else if (last.length + part.length + 3 > width) lines.push(`→ ${part}`);
    else lines[lines.length - 1] = `${last} → ${part}`;
  }
  return lines;
}
