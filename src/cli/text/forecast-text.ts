// The forecast of a plan in a few aligned lines.
import type { Plan } from '../../core/plan/plan.ts';
import type { Contradiction } from '../../core/simulate/estimate.ts';
import type { Forecast } from '../../core/simulate/forecast.ts';
import type { Range } from '../../core/simulate/range.ts';
import type { TrackRecord } from '../../core/simulate/track-record.ts';
import { formatCount, formatMoment, formatMoney } from '../../core/view/chart/format.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { plural } from '../../core/view/text/count-text.ts';
import { aligned } from './rows.ts';

export function forecastLines(terminal: Terminal, plan: Plan, forecast: Forecast): readonly string[] {
  const { makespanMs, lowerBoundMs, serialMs, usd, tokens, peakParallelism, gates, origins, runs } = forecast;
  const rows: string[][] = [
    ['time', ranged(makespanMs, formatMoment), timeNote(forecast)],
    ['bound', formatMoment(lowerBoundMs), `the least by these estimates; in series ${formatMoment(serialMs)}`],
    ['peak', plural(peakParallelism, 'step'), `running at once, of ${plan.cap} allowed`],
  ];
  if (usd.high > 0) rows.push(['cost', ranged(usd, formatMoney), costNote(plan, forecast)]);
  if (tokens.high > 0)
    rows.push([
      'tokens',
      ranged(tokens, formatCount),
      plan.budget?.tokens === undefined ? '' : `of ${formatCount(plan.budget.tokens)}`,
    ]);
  if (gates > 0) rows.push(['gates', String(gates), 'a person is asked; their time is not counted']);
  const known = origins.plan + origins['earlier runs'];
  const source = runs === 0 ? 'from one schedule, for so large a plan' : `from ${plural(runs, 'simulated run')}`;
  const note =
    origins.default === 0
      ? source
      : `${source}; ${origins.default.toLocaleString('en')} of ${plural(known + origins.default, 'step')} ${origins.default === 1 ? 'has' : 'have'} no estimate yet`;
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

/** A run that a budget cuts short is quick, but it is no success. */
function timeNote({ budgetShare, expectedMs }: Forecast): string {
  if (budgetShare > 0) return `cut short by a budget in ${Math.round(budgetShare * 100)} % of the runs`;
  return `${formatMoment(expectedMs)} if all goes as estimated`;
}

function ranged({ low, likely, high }: Range, format: (value: number) => string): string {
  const [least, most] = [format(low), format(high)];
  return least === most ? format(likely) : `${format(likely)} (${least} – ${most})`;
}

function costNote(plan: Plan, { usd, budgetShare }: Forecast): string {
  const ceiling = plan.budget?.usd;
  if (budgetShare > 0) return `a budget is reached in ${Math.round(budgetShare * 100)} % of the simulated runs`;
  if (ceiling === undefined) return 'no budget is set';
  return `fits the budget of ${formatMoney(ceiling)}${usd.high > 0.8 * ceiling ? ', barely' : ''}`;
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
