// How often the range of a forecast holds, beside the 80 percent that it claims, in worlds that differ from each other:
// durations that stray little or much, attempts that fail, whole runs that are slow or fast. In each world every plan is
// forecast with nothing known and after some runs in the same world; then it is run again and again. Beside it an oracle
// that knows the world. The time left is asked for in the middle of runs, and costs have the common factor of their run.
// Runs alone:
//   node bench/calibration.ts [--seed N] [--world WORDS]
import { parseArgs } from 'node:util';
import { compile } from '../src/core/compile/compile.ts';
import type { Compiled } from '../src/core/compile/compiled.ts';
import { fold } from '../src/core/engine/apply/fold.ts';
import { parsePlan } from '../src/core/plan/build/parse.ts';
import { chance, type Chance } from '../src/core/schedule/chance.ts';
import { NO_HISTORY, type History } from '../src/core/simulate/estimate.ts';
import { etaOf } from '../src/core/simulate/eta.ts';
import { forecast, type Forecasting } from '../src/core/simulate/forecast.ts';
import { historyOf } from '../src/core/simulate/history.ts';
import { pastWorkOf, type PastWork } from '../src/core/simulate/past-work.ts';
import { prepare, type Prepared } from '../src/core/simulate/prepare-run.ts';
import { rangeOf, type Range } from '../src/core/simulate/range.ts';
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
  { name: 'spread 0.3, common 0.3', spread: 0.3, failureShare: 0, common: 0.3 },
  { name: 'spread 0.3, common 0.7', spread: 0.3, failureShare: 0, common: 0.7 },
  { name: 'spread 0.3, common 1', spread: 0.3, failureShare: 0, common: 1 },
  { name: 'spread 0.6, 20 % fail, common 0.5', spread: 0.6, failureShare: 0.2, common: 0.5 },
];

const HISTORIES = [0, 1, 3, 10] as const;
/** Each has a history of its own: runs after the same few runs are right or wrong together. */
const PLANS = 48;
const RUNS_EACH = 6;
/** How many of them are asked for the time left, in so many runs each. */
const PLANS_ASKED = 16;
const ETAS_EACH = 2;
const ETA_SHARES = [0.25, 0.5, 0.75] as const;
const ORACLE_RUNS = 100;

interface Coverage {
  /** The share of runs within the range. */
  readonly held: number;
  /** The mean of high / low, by its logarithm. */
  readonly width: number;
}

export interface CalibrationRow {
  readonly world: string;
  /** A forecast that takes one spread and one share of failures for granted. */
  readonly fixed: Coverage;
  /** A forecast that knows the world. */
  readonly oracle: Coverage;
  /** By number of earlier runs. */
  readonly learnt: readonly Covered[];
}

interface Covered {
  readonly time: Coverage;
  readonly cost: Coverage;
  /** The time left at each share of the run. */
  readonly left: readonly Coverage[];
}

const FIXED = { spread: 0.4, failureShare: 0.05 };

/** A plan and the order in which all its runs claim. */
interface PlanToRun {
  readonly compiled: Compiled;
  readonly prepared: Prepared;
}

export function benchCalibration(seed = 1, only = ''): readonly CalibrationRow[] {
  const plans = Array.from({ length: PLANS }, (_, index): PlanToRun => {
    const compiled = anyPlan(chance(seed * 1_000 + index));
    return { compiled, prepared: prepare(compiled, { history: NO_HISTORY, seed: index }) };
  });
  return WORLDS.filter(({ name }) => name.includes(only)).map((world) => {
    const random = chance(seed * 77_003 + WORLDS.indexOf(world));
    const given = { world, random };
    return {
      world: world.name,
      fixed: coverage(plans, { ...given, earlier: 0, forecasting: FIXED }).time,
      oracle: oracle(plans, given),
      learnt: HISTORIES.map((earlier) => coverage(plans, { ...given, earlier, forecasting: {} })),
    };
  });
}

interface Measuring {
  readonly world: CalibrationWorld;
  readonly random: Chance;
  readonly earlier: number;
  readonly forecasting: Forecasting;
}

function coverage(plans: readonly PlanToRun[], { world, random, earlier, forecasting }: Measuring): Covered {
  const [time, cost, left] = [tally(), tally(), ETA_SHARES.map(() => tally())];
  for (const [index, { compiled, prepared }] of plans.entries()) {
    const run = (): Simulation => runIn(world, compiled, prepared, random);
    const histories = Array.from({ length: earlier }, () => pastWorkOf(run().events));
    const history: History = historyOf(compiled, histories);
    const { makespanMs, usd } = forecast(compiled, { ...prepared, history }, forecasting);
    for (let each = 0; each < RUNS_EACH; each += 1) {
      const ran = run();
      time.add(makespanMs, ran.makespanMs);
      cost.add(usd, ran.state.ledger.run.spent.usd);
      if (index < PLANS_ASKED && each < ETAS_EACH)
        ETA_SHARES.forEach((share, at) =>
          left[at]?.add(leftAt(share, ran, { compiled, histories }), leftMs(share, ran)),
        );
    }
  }
  return { time: time.coverage(), cost: cost.coverage(), left: left.map((each) => each.coverage()) };
}

const leftMs = (share: number, { makespanMs }: Simulation): number => (1 - share) * makespanMs;

interface Asking {
  readonly compiled: Compiled;
  readonly histories: readonly PastWork[];
}

/** The expected time left when a share of the run is over. */
function leftAt(share: number, { makespanMs, events }: Simulation, { compiled, histories }: Asking): Range {
  const now = share * makespanMs;
  const soFar = events.filter(({ at }) => at <= now);
  const eta = etaOf({ state: fold(soFar, compiled), past: () => [...histories, pastWorkOf(soFar)], now });
  const { low = 0, likely = 0, high = 0 } = eta?.endAt ?? {};
  return { low: low - now, likely: likely - now, high: high - now };
}

function oracle(plans: readonly PlanToRun[], { world, random }: Pick<Measuring, 'world' | 'random'>): Coverage {
  const time = tally();
  for (const { compiled, prepared } of plans) {
    const ran = Array.from({ length: ORACLE_RUNS }, () => runIn(world, compiled, prepared, random).makespanMs);
    const range = rangeOf(ran);
    for (let each = 0; each < RUNS_EACH; each += 1)
      time.add(range, runIn(world, compiled, prepared, random).makespanMs);
  }
  return time.coverage();
}

interface Tally {
  readonly add: (range: Range, came: number) => void;
  readonly coverage: () => Coverage;
}

function tally(): Tally {
  let [held, all, logs] = [0, 0, 0];
  return {
    add: ({ low, high }, came) => {
      all += 1;
      if (came >= low && came <= high) held += 1;
      logs += Math.log(high / low);
    },
    coverage: () => ({ held: held / all, width: Math.exp(logs / all) }),
  };
}

function runIn(world: CalibrationWorld, compiled: Compiled, { order }: Prepared, random: Chance): Simulation {
  const { spread, failureShare, common } = world;
  const factor = Math.exp(common * random.normal());
  // The medians of the world are the plan's estimates, regardless of history.
  return simulate(compiled, order, {
    seed: random.below(2 ** 31),
    history: NO_HISTORY,
    spread,
    failureShare,
    factor,
    spending: { spread, factor },
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
  console.log('\nRuns within the range of their forecast, which claims 80 % (in brackets: its high / low)');
  const histories = HISTORIES.map((earlier) => `${earlier} earlier`);
  printCoverages(
    ['time', 'fixed spread', ...histories, 'oracle'],
    rows.map(({ world, fixed, oracle, learnt }) => [world, fixed, ...learnt.map(({ time }) => time), oracle]),
  );
  printCoverages(
    ['cost', ...histories],
    rows.map(({ world, learnt }) => [world, ...learnt.map(({ cost }) => cost)]),
  );
  ETA_SHARES.forEach((share, at) => {
    const lefts = rows.map(({ world, learnt }): CoverageCells => [
      world,
      ...learnt.flatMap(({ left }) => left[at] ?? []),
    ]);
    printCoverages([`time left at ${100 * share} %`, ...histories], lefts);
  });
}

type CoverageCells = readonly [world: string, ...coverages: readonly Coverage[]];

function printCoverages([title = '', ...columns]: readonly string[], rows: readonly CoverageCells[]): void {
  console.log(`  ${title.padEnd(36)}${columns.map((column) => column.padStart(14)).join('')}`);
  for (const [world, ...coverages] of rows) {
    const cells = coverages.map(({ held, width }) => `${Math.round(100 * held)} % (${width.toFixed(1)})`);
    console.log(`  ${world.padEnd(36)}${cells.map((cell) => cell.padStart(14)).join('')}`);
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, world: { type: 'string' } } });
  printCalibration(benchCalibration(Number(values.seed ?? 1), values.world));
}
