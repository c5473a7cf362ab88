// What may go wrong, and how often. A trial has each fault or has it not, so that some worlds are mad in one way only.
import { chance, type Chance } from '../../src/core/schedule/chance.ts';
import type { Counts } from './counts.ts';

/** How often each strikes where it could, in a trial that has it. */
const SHARES = {
  'crash before append': 0.04,
  'crash after append': 0.05,
  'crash before reply': 0.05,
  'crash while waiting': 0.02,
  'crash while reading': 0.05,
  'coordinator sleeps': 0.01,
  'workers die with the coordinator': 0.5,
  'append failed': 0.02,
  'append fenced': 0.02,
  'message dropped': 0.12,
  'message repeated': 0.12,
  'message delayed': 0.15,
  'reply dropped': 0.12,
  'reply repeated': 0.12,
  'reply delayed': 0.15,
  'host cut off': 0.04,
  'merge host dies': 0.04,
  'worker dies': 0.1,
  'worker hangs': 0.05,
  'work fails': 0.2,
  'work ends badly': 0.12,
  'quota runs out': 0.08,
  'check fails': 0.25,
  'late report': 0.15,
  'second report': 0.15,
  'finishes while cancelled': 0.4,
  'spend unreported': 0.3,
  overspends: 0.25,
  'clock jumps': 0.02,
  'wakes for nothing': 0.05,
  'merge conflicts': 0.6,
  'merge check fails': 0.25,
  'merge is refused': 0.1,
  'merge is outrun': 0.1,
  'provider overloaded': 0.12,
  'agent asks': 0.08,
  'answer misfits': 0.06,
  'sign-in refused': 0.05,
  'turn cut off': 0.08,
  'agent is no use': 0.06,
  'append delayed': 0.06,
  'append answer lost': 0.02,
  'append left behind': 0.02,
  'far host dies': 0.02,
  'far host forgets': 0.4,
  'far host drains': 0.02,
  'far host leaves': 0.6,
  'far host lags': 0.02,
  'far host lies': 0.06,
  'delivery delayed': 0.25,
  'delivery refused': 0.04,
  'messages cut off': 0.06,
  'replies cut off': 0.06,
  'machine stands still': 0.04,
  'far host replaced': 0.015,
} as const;

export type Fault = keyof typeof SHARES;
export const FAULTS: readonly Fault[] = Object.keys(SHARES).filter((name): name is Fault => name in SHARES);

/** What keeps a host from being heard for longer than a lease, in worlds where work takes long. */
const LEASE_FAULTS: readonly Fault[] = [
  'messages cut off',
  'replies cut off',
  'machine stands still',
  'far host replaced',
];

/** The share of each fault in one trial; 0 for those that it has not. */
export type Weather = Readonly<Record<Fault, number>>;

const entries = (share: (fault: Fault) => number): Weather => {
  const weather = { ...SHARES, ...Object.fromEntries(FAULTS.map((fault) => [fault, share(fault)])) };
  return weather;
};

export const CLEAR_SKY: Weather = entries(() => 0);

/** One trial in ten has no faults at all: what should happen then is easiest to say. */
export function drawWeather(random: Chance): Weather {
  if (random.happens(0.1)) return CLEAR_SKY;
  const share = [0.25, 0.5, 0.9][random.below(3)] ?? 0.5;
  return entries((fault) =>
    !LEASE_FAULTS.includes(fault) && random.happens(share) ? SHARES[fault] * (0.5 + random.next()) : 0,
  );
}

/** The same weather, in which hosts are not heard for long in one way at least. */
export function outOfReach(weather: Weather, random: Chance): Weather {
  const faults = [...LEASE_FAULTS, 'host cut off' as const];
  const sure = faults[random.below(faults.length)];
  const strikes = faults.filter((fault) => random.happens(0.4) || fault === sure);
  return { ...weather, ...Object.fromEntries(strikes.map((fault) => [fault, SHARES[fault] * (0.5 + random.next())])) };
}

export const without = (weather: Weather, fault: Fault): Weather => ({ ...weather, [fault]: 0 });

export interface Dice {
  /** Whether the fault strikes here; each has draws of its own, so that leaving one out does not disturb the others. */
  readonly strikes: (fault: Fault) => boolean;
  /** For how long or how much, when it strikes. */
  readonly of: (fault: Fault) => Chance;
  /** Draws that depend on the name alone, such as the fate of an attempt. */
  readonly named: (name: string) => Chance;
  /** The same for a fault of something that has a name. */
  readonly strikesNamed: (fault: Fault, name: string) => boolean;
}

export interface Dicing {
  readonly seed: number;
  readonly weather: Weather;
  readonly counts: Counts;
  readonly isCalm: () => boolean;
}

export function dice({ seed, weather, counts, isCalm }: Dicing): Dice {
  const named = (name: string): Chance => chance(hashOf(`${seed}/${name}`));
  const own = new Map(FAULTS.map((fault) => [fault, named(fault)]));
  const of = (fault: Fault): Chance => own.get(fault) ?? named(fault);
  const counted = (fault: Fault, isStruck: boolean): boolean => {
    if (isStruck) counts.add(fault);
    return isStruck;
  };
  return {
    of,
    named,
    strikes: (fault) => weather[fault] > 0 && !isCalm() && counted(fault, of(fault).happens(weather[fault])),
    strikesNamed: (fault, name) =>
      weather[fault] > 0 && !isCalm() && counted(fault, named(`${fault} ${name}`).happens(weather[fault])),
  };
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
