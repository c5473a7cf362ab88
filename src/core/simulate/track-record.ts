// How often the range of a forecast would have been right for earlier runs: each run is forecast again from its own
// plan and the history before it.
import { compile } from '../compile/compile.ts';
import type { Compiled } from '../compile/compiled.ts';
import { startOf } from '../engine/apply/fold.ts';
import type { RunEvent } from '../engine/event.ts';
import { orderIn } from '../engine/order.ts';
import { historyOf } from './history.ts';
import { pastWorkOf } from './past-work.ts';
import { rangeOf, type Range } from './range.ts';
import { drawScenarios } from './draw-scenarios.ts';
import { simulate } from './simulate-run.ts';

export interface TrackRecord {
  readonly held: number;
  /** Runs that can be compared with a forecast. */
  readonly of: number;
}

/** The latest runs that are forecast again, and the steps simulated for each: a fraction of a second in all. */
const RUNS_MAX = 5;
const STEPS_SIMULATED_MAX = 2_000;
const SCENARIOS_MIN = 5;

/** The runs of one plan, the latest last. */
export function trackRecord(histories: readonly (readonly RunEvent[])[]): TrackRecord {
  const comparable = [...histories.entries()].filter(([, events]) => isComparable(events)).slice(-RUNS_MAX);
  const held = comparable.filter(([index, events]) => {
    const { low, high } = forecastAgain(events, histories.slice(0, index));
    const tookMs = (events.at(-1)?.at ?? 0) - startOf(events).at;
    return low <= tookMs && tookMs <= high;
  });
  return { held: held.length, of: comparable.length };
}

/** Whether a run kept its first plan from start to end, all its tasks are done, and it asked no person. */
function isComparable(events: readonly RunEvent[]): boolean {
  const [started] = events;
  if (started?.type !== 'run.started' || events.at(-1)?.type !== 'run.ended') return false;
  const isHindered = events.some(
    (event) => WAITS.has(event.type) || (event.type === 'task.ended' && event.ending !== 'done'),
  );
  return !isHindered && !compile(started.plan).tasks.some(({ task }) => task.type === 'gate');
}

const WAITS: ReadonlySet<RunEvent['type']> = new Set([
  'run.paused',
  'task.paused',
  'claim.asked',
  'plan.amended',
  'plan.grown',
]);

function forecastAgain(events: readonly RunEvent[], before: readonly (readonly RunEvent[])[]): Range {
  const { plan, seed, policy, priorities } = startOf(events);
  const compiled = compile(plan);
  const bounds = { steps: stepCount(compiled), stepsMax: STEPS_SIMULATED_MAX, least: SCENARIOS_MIN };
  const scenarios = drawScenarios({ history: historyOf(compiled, before.map(pastWorkOf)), seed }, bounds);
  const order = orderIn(compiled, policy, priorities);
  return rangeOf(scenarios.map((scenario) => simulate(compiled, order, scenario).makespanMs));
}

const stepCount = ({ tasks }: Compiled): number => tasks.reduce((sum, { steps }) => sum + steps.length, 0);
