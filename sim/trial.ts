// One trial: a plan, its weather and the habits of its world, all drawn from one number, and all plain data, so that
// it can be made smaller and tried again.
import { dump, load } from 'js-yaml';
import { chance, type Chance } from '../src/core/schedule/chance.ts';
import { randomPlanText, withoutReadOnly } from '../test/law/engine-plans.given.ts';
import { drawFleet, withLabels, type FarHost } from './fleet/draw-fleet.ts';
import { drawWeather, outOfReach, type Weather } from './world/faults.ts';

export interface Trial {
  readonly seed: number;
  /** The plan as text; the one thing of the trial that a person would write. */
  readonly plan: string;
  readonly weather: Weather;
  /** A host inside the coordinator's process dies with it; one on another machine does not, and can be cut off. */
  readonly host: 'inside' | 'remote';
  /** Who merges: that host, a host on a third machine that does nothing else, or whichever the coordinator chooses. */
  readonly mergesAt: 'here' | 'there' | 'both';
  /** How many claims the host takes at once. */
  readonly width: number;
  /** Hosts on other machines. */
  readonly fleet: readonly FarHost[];
  /** Work takes minutes, so that hosts are out of reach for a lease while it goes on; only where there is a fleet. */
  readonly isLong: boolean;
  /** When faults cease. */
  readonly calmAtMs: number;
  /** Commands that people give before that. */
  readonly commandsMax: number;
  /** How often the plan is changed before that. */
  readonly amendsMax: number;
  /** How often a run that has ended badly is tried again. */
  readonly resetsMax: number;
  readonly policy: 'parallel' | 'serial';
  /** Priorities and holds without any sense to them, so that every order of claims comes up. */
  readonly isShuffled: boolean;
  /** Whether a coordinator stays when only a person can move its run on. */
  readonly stays: boolean;
}

const TASKS_MAX = 18;
const LONG_TASKS_MAX = 8;
/** Of the worlds with a fleet. */
const LONG_SHARE = 0.4;
/** A lease has to run out before. */
const CALM_LATER_MS = 250_000;

export function drawTrial(seed: number): Trial {
  const random = chance(seed);
  const planSeed = 1 + random.below(1_000_000_000);
  const host = random.happens(0.5) ? 'inside' : 'remote';
  // Drawn apart, so that worlds of one machine are what they were.
  const fleet = drawFleet(chance(seed + 79));
  const isLong = fleet.length > 0 && chance(seed + 82).happens(LONG_SHARE);
  const drawn = drawPlan(planSeed, random, isLong ? LONG_TASKS_MAX : TASKS_MAX);
  const plan = isLong ? forLong(drawn) : drawn;
  const weather = drawWeather(random.fork());
  return {
    seed,
    plan: fleet.length === 0 ? plan : withLabels(plan, chance(seed + 80)),
    weather: isLong ? outOfReach(weather, chance(seed + 83)) : weather,
    host: fleet.length === 0 ? host : 'inside',
    // Drawn apart, so that what is drawn after it is the same whatever it says.
    mergesAt: (['here', 'there', 'both'] as const)[chance(seed + 78).below(3)] ?? 'here',
    width: isLong ? 1 : widthOf(random.happens(0.6) ? 8 : 1 + random.below(4), fleet),
    fleet,
    isLong,
    calmAtMs: Math.round(25_000 * 2 ** (random.next() * 5)) + (isLong ? CALM_LATER_MS : 0),
    commandsMax: random.happens(0.35) ? 0 : 1 + random.below(10),
    // Drawn apart, so that what is drawn after it is the same whatever it says.
    amendsMax: Math.max(0, chance(seed + 77).below(8) - 4),
    resetsMax: random.happens(0.5) ? 0 : 1 + random.below(2),
    policy: random.happens(0.1) ? 'serial' : 'parallel',
    isShuffled: random.happens(0.4),
    stays: random.happens(0.3),
  };
}

/** Where there are other machines, that of the coordinator is small, so that they have work. */
const widthOf = (drawn: number, fleet: readonly FarHost[]): number => (fleet.length === 0 ? drawn : 1 + (drawn % 2));

/** In some worlds work is merged, in others it is done in place; and a hanging step should not hang for an hour. */
function drawPlan(planSeed: number, random: Chance, tasksMax: number): string {
  // Drawn apart, so that what is drawn after it is the same whatever it says.
  const tree = chance(planSeed).happens(0.5) ? 'auto' : 'none';
  // Drawn apart, so that plans without growth are what they were.
  const grows = chance(planSeed + 9).happens(0.3);
  const written = randomPlanText(planSeed, { isTimeless: false, tasksMax, grows });
  const text = tree === 'none' ? withoutReadOnly(written) : written;
  const drawn = load(random.happens(0.1) ? text.replace('run: x', `run: 'echo ${VALUELESS}'`) : text);
  return dump({
    ...(typeof drawn === 'object' ? drawn : {}),
    sandbox: { tree },
    env: ['MISSING'],
    timeout: random.happens(0.4) ? '40s' : '4m',
    ...(random.happens(0.15) ? { budget: { usd: 2, tokens: 60 + random.below(100), ...atCeiling(planSeed) } } : {}),
    ...(random.happens(0.2) ? { pools: { ci: 1, gpu: 3 } } : {}),
  });
}

/** Nothing of the plan ends long work, its pools are small, and it is done in sandboxes, so other machines may have it. */
function forLong(text: string): string {
  const drawn = load(text);
  const sandbox = { tree: 'auto' };
  return dump({ ...(typeof drawn === 'object' ? drawn : {}), sandbox, timeout: '8m', pools: { ci: 1, gpu: 3 } });
}

/** Drawn apart, too. */
const atCeiling = (planSeed: number): { readonly at_ceiling?: 'stop' } =>
  chance(planSeed + 5).happens(0.5) ? { at_ceiling: 'stop' } : {};

/** A value that no run is given, so that what speaks of it cannot begin. */
export const VALUELESS = '{{ env.MISSING }}';

/** The trial in few lines, for a person. */
export function describeTrial({ plan, weather, ...rest }: Trial): string {
  const faults = Object.entries(weather)
    .filter(([, share]) => share > 0)
    .map(([fault, share]) => `${fault} ${share.toFixed(3)}`);
  const world = Object.entries(rest).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return `world: ${world.join(', ')}\nfaults: ${faults.length === 0 ? 'none' : faults.join(', ')}\nplan:\n${plan}`;
}
