// How often the range of a forecast holds, beside the 80 percent that it claims, in worlds that differ from each other:
// durations that stray little or much, attempts that fail, whole runs that are slow or fast. In each world every plan is
// forecast with nothing known and after some runs in the same world; then it is run again and again. Runs alone:
//   node bench/calibration.ts [--seed N]
import { parseArgs } from 'node:util';
import { compile } from '../src/core/compile/compile.ts';
import type { Compiled } from '../src/core/compile/compiled.ts';
import { parsePlan } from '../src/core/plan/build/parse.ts';
import { chance, type Chance } from '../src/core/schedule/chance.ts';
import { NO_HISTORY, type History } from '../src/core/simulate/estimate.ts';
import { forecast, type Forecasting } from '../src/core/simulate/forecast.ts';
import { historyOf } from '../src/core/simulate/history.ts';
import { pastWorkOf } from '../src/core/simulate/past-work.ts';
import { prepare, type Prepared } from '../src/core/simulate/prepare-run.ts';
import { simulate, type Simulation } from '../src/core/simulate/simulate-run.ts';

interface CalibrationWorld {
  readonly name: string;
  /** Standard deviation of the logarithm of a duration. */
  readonly spread: number;
  readonly failureShare: number;
  /** Standard deviation of the logarithm of the factor that all durations of one run share. */
  readonly common: number;
}

const WORLDS: readonly CalibrationWorld[] = [
  { name: 'spread 0.3', spread: 0.3, failureShare: 0, common: 0 },
  { name: 'spread 0.4, 5 % fail', spread: 0.4, failureShare: 0.05, common: 0 },
  { name: 'spread 0.8', spread: 0.8, failureShare: 0, common: 0 },
  { name: 'spread 0.3, 20 % fail', spread: 0.3, failureShare: 0.2, common: 0 },
  { name: 'spread 0.8, 20 % fail', spread: 0.8, failureShare: 0.2, common: 0 },
  { name: 'spread 0.3, common 0.5', spread: 0.3, failureShare: 0, common: 0.5 },
  { name: 'spread 0.5, 10 % fail, common 0.3', spread: 0.5, failureShare: 0.1, common: 0.3 },
];

const HISTORIES = [0, 1, 3, 10] as const;
const PLANS = 16;
const RUNS_EACH = 10;

interface Coverage {
  /** The share of runs within the range. */
  readonly held: number;
  /** The mean of high / low. */
  readonly width: number;
}

export interface CalibrationRow {
  readonly world: string;
  /** The reference: a forecast that takes one spread and one share of failures for granted. */
  readonly fixed: Coverage;
  /** By number of earlier runs. */
  readonly history: readonly Coverage[];
}

const FIXED = { spread: 0.4, failureShare: 0.05 };

/** A plan and the order in which all its runs claim. */
interface PlanToRun {
  readonly compiled: Compiled;
  readonly prepared: Prepared;
}

export function benchCalibration(seed = 1): readonly CalibrationRow[] {
  const plans = Array.from({ length: PLANS }, (_, index): PlanToRun => {
    const compiled = anyPlan(chance(seed * 1_000 + index));
    return { compiled, prepared: prepare(compiled, { history: NO_HISTORY, seed: index }) };
  });
  return WORLDS.map((world, row) => {
    const random = chance(seed * 77_003 + row);
    return {
      world: world.name,
      fixed: coverage(plans, { world, random, earlier: 0, forecasting: FIXED }),
      history: HISTORIES.map((earlier) => coverage(plans, { world, random, earlier, forecasting: {} })),
    };
  });
}

interface Measuring {
  readonly world: CalibrationWorld;
  readonly random: Chance;
  readonly earlier: number;
  readonly forecasting: Forecasting;
}

function coverage(plans: readonly PlanToRun[], { world, random, earlier, forecasting }: Measuring): Coverage {
  let held = 0;
  let width = 0;
  for (const { compiled, prepared } of plans) {
    const run = (): Simulation => runIn(world, compiled, prepared, random);
    const histories = Array.from({ length: earlier }, () => pastWorkOf(run().events));
    const history: History = historyOf(compiled, histories);
    const { low, high } = forecast(compiled, { ...prepared, history }, forecasting).makespanMs;
    for (let each = 0; each < RUNS_EACH; each += 1) {
      const { makespanMs } = run();
      if (makespanMs >= low && makespanMs <= high) held += 1;
    }
    width += high / low;
  }
  return { held: held / (plans.length * RUNS_EACH), width: width / plans.length };
}

function runIn(world: CalibrationWorld, compiled: Compiled, { order }: Prepared, random: Chance): Simulation {
  const { spread, failureShare, common } = world;
  // The medians of the world are the plan's estimates, regardless of history.
  return simulate(compiled, order, {
    seed: random.below(2 ** 31),
    history: NO_HISTORY,
    spread,
    failureShare,
    factor: Math.exp(common * random.normal()),
    endsWell: true,
  });
}

/** Ten to forty tasks with needs among them, few slots or many; half of the plans state estimates. */
function anyPlan(random: Chance): Compiled {
  const tasks = 10 + random.below(31);
  const isStated = random.happens(0.5);
  const lines = Array.from({ length: tasks }, (_, task) => {
    const wanted = task === 0 ? 0 : random.below(3);
    const needs = new Set(Array.from({ length: wanted }, () => `t${random.below(task)}`));
    const minutes = Math.round(60 * Math.exp(0.8 * random.normal()) * 5) / 60;
    const estimate = isStated ? `, estimate: ${Math.max(1, Math.round(minutes * 60))}s` : '';
    const check = random.happens(0.3) ? ', check: test' : '';
    return `  t${task}: { prompt: x, needs: [${[...needs].join(', ')}]${estimate}${check}, attempts: 3 }`;
  });
  const head = ['heddle: 1', 'name: any', `max_parallel: ${2 + random.below(7)}`, 'sandbox: { tree: none }'];
  const { plan, diagnostics } = parsePlan(
    [...head, 'agents: { ai: { use: scripted } }', 'tasks:', ...lines, ''].join('\n'),
    { file: 'any.yaml' },
  );
  if (plan === undefined) throw new Error(`The generated plan is wrong: ${diagnostics[0]?.message ?? ''}`);
  return compile(plan);
}

export function printCalibration(rows: readonly CalibrationRow[]): void {
  const columns = ['fixed spread', ...HISTORIES.map((earlier) => `${earlier} earlier`)];
  console.log('\nRuns within the range of their forecast, which claims 80 % (in brackets: its high / low)');
  console.log(`  ${'world'.padEnd(36)}${columns.map((column) => column.padStart(14)).join('')}`);
  for (const { world, fixed, history } of rows) {
    const told = [fixed, ...history].map(({ held, width }) => `${Math.round(100 * held)} % (${width.toFixed(1)})`);
    console.log(`  ${world.padEnd(36)}${told.map((cell) => cell.padStart(14)).join('')}`);
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { seed: { type: 'string' } } });
  printCalibration(benchCalibration(Number(values.seed ?? 1)));
}
