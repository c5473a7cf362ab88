// The ranges of forecasts and of the time left hold for about eight of ten runs, also where a whole run is slow or fast.
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/core/compile/compile.ts';
import { fold } from '../../src/core/engine/apply/fold.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { chance, type Chance } from '../../src/core/schedule/chance.ts';
import { NO_HISTORY } from '../../src/core/simulate/estimate.ts';
import { etaOf } from '../../src/core/simulate/eta.ts';
import { forecast } from '../../src/core/simulate/forecast.ts';
import { historyOf } from '../../src/core/simulate/history.ts';
import { pastWorkOf } from '../../src/core/simulate/past-work.ts';
import { prepare } from '../../src/core/simulate/prepare-run.ts';
import { simulate, type Simulation } from '../../src/core/simulate/simulate-run.ts';
import { assert } from '../../src/core/assert.ts';

const TASKS = 10;
/** Runs after the same few runs are right or wrong together, so that many histories tell more than many runs. */
const TRIALS = 60;
const RUNS_EACH = 5;
/** The time left costs as much as a forecast. */
const ETAS_EACH = 1;

interface TrueWorld {
  readonly spread: number;
  readonly common: number;
  readonly earlier: number;
  readonly isStated: boolean;
}

function anyPlan(isStated: boolean, random: Chance) {
  const tasks = Array.from({ length: TASKS }, (_, task) => {
    const need = task > 0 && random.happens(0.6) ? `, needs: [t${random.below(task)}]` : '';
    const estimate = isStated ? `, estimate: ${1 + random.below(9)}m` : '';
    return `  t${task}: { prompt: x${need}${estimate} }\n`;
  });
  const head =
    'heddle: 1\nname: any\nmax_parallel: 3\nschedule: declared\nsandbox: { tree: none }\nagents: { ai: { use: scripted } }\n';
  const { plan } = parsePlan(`${head}tasks:\n${tasks.join('')}`, { file: 'any.yaml' });
  assert(plan !== undefined, 'The plan is right.');
  return compile(plan);
}

/** The share of runs that came out within their forecast, and within the time left as asked for in their middle. */
function sharesHeld({ spread, common, earlier, isStated }: TrueWorld): {
  readonly ahead: number;
  readonly left: number;
} {
  const random = chance(earlier * 100 + common * 10);
  let [ahead, left] = [0, 0];
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const compiled = anyPlan(isStated, random);
    const prepared = prepare(compiled, { history: NO_HISTORY, seed: trial });
    const run = (): Simulation => {
      const factor = Math.exp(common * random.normal());
      const scenario = { seed: random.below(2 ** 31), history: NO_HISTORY, spread, failureShare: 0, factor };
      return simulate(compiled, prepared.order, { ...scenario, endsWell: true });
    };
    const histories = Array.from({ length: earlier }, () => pastWorkOf(run().events));
    const { low, high } = forecast(compiled, { ...prepared, history: historyOf(compiled, histories) }).makespanMs;
    for (let each = 0; each < RUNS_EACH; each += 1) {
      const { makespanMs, events } = run();
      if (low <= makespanMs && makespanMs <= high) ahead += 1;
      if (each >= ETAS_EACH) continue;
      const now = makespanMs / 2;
      const soFar = events.filter(({ at }) => at <= now);
      const eta = etaOf({ state: fold(soFar, compiled), past: () => [...histories, pastWorkOf(soFar)], now });
      assert(eta !== undefined, 'The plan is small.');
      if (eta.endAt.low <= makespanMs && makespanMs <= eta.endAt.high) left += 1;
    }
  }
  return { ahead: ahead / (TRIALS * RUNS_EACH), left: left / (TRIALS * ETAS_EACH) };
}

describe('eight of ten runs come out as forecast, where whole runs are slow or fast', () => {
  test.each([
    { common: 0.5, earlier: 1, isStated: false },
    { common: 0.5, earlier: 3, isStated: false },
    { common: 0.7, earlier: 10, isStated: true },
  ])('%o', (world) => {
    const { ahead, left } = sharesHeld({ spread: 0.3, ...world });
    for (const share of [ahead, left]) {
      expect(share).toBeGreaterThan(0.65);
      expect(share).toBeLessThan(0.95);
    }
  });
});
