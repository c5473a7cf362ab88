// The forecast of a plan: a row for each figure, with a note on it.
import type { Plan } from '../../plan/plan.ts';
import { runCapOf } from '../../plan/run-cap.ts';
import type { Forecast } from '../../simulate/forecast.ts';
import type { GrowthAhead } from '../../simulate/growth-ahead.ts';
import type { Range } from '../../simulate/range.ts';
import { formatCount, formatMoment, formatMoney } from '../chart/format.ts';
import { plural } from './count-text.ts';

export interface ForecastRows {
  /** Name, figure and note each. */
  readonly rows: readonly (readonly string[])[];
  /** Where the figures come from. */
  readonly note: string;
}

export function forecastRows(plan: Plan, forecast: Forecast): ForecastRows {
  const { makespanMs, lowerBoundMs, serialMs, usd, tokens, peakParallelism, gates, ahead, origins, runs } = forecast;
  const rows: string[][] = [
    ['time', ranged(makespanMs, formatMoment), timeNote(forecast)],
    ['bound', formatMoment(lowerBoundMs), `the least by these estimates; in series ${formatMoment(serialMs)}`],
    ['peak', plural(peakParallelism, 'step'), `running at once, of ${runCapOf(plan)} allowed`],
  ];
  if (usd.high > 0) rows.push(['cost', ranged(usd, formatMoney), costNote(plan, forecast)]);
  if (tokens.high > 0)
    rows.push([
      'tokens',
      ranged(tokens, formatCount),
      plan.budget?.tokens === undefined ? '' : `of ${formatCount(plan.budget.tokens)}`,
    ]);
  if (gates > 0) rows.push(['gates', String(gates), 'a person is asked; their time is not counted']);
  for (const each of ahead) rows.push(['not known', `up to ${plural(each.tasksMax, 'task')}`, aheadNote(each)]);
  const known = origins.plan + origins['earlier runs'];
  const source = runs === 0 ? 'from one schedule, for so large a plan' : `from ${plural(runs, 'simulated run')}`;
  const note =
    origins.default === 0
      ? source
      : `${source}; ${origins.default.toLocaleString('en')} of ${plural(known + origins.default, 'step')} ${origins.default === 1 ? 'has' : 'have'} no estimate yet`;
  return { rows, note };
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

function aheadNote({ task, usd, tokens }: GrowthAhead): string {
  const limits = [
    ...(usd === undefined ? [] : [formatMoney(usd)]),
    ...(tokens === undefined ? [] : [`${formatCount(tokens)} tokens`]),
  ];
  const within = limits.length === 0 ? 'without a budget' : `within ${limits.join(' and ')}`;
  return `${task} writes them during the run, ${within}; nothing above counts them`;
}
