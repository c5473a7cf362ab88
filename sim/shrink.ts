// Makes a trial smaller while the same invariant is broken: fewer faults, fewer commands, a smaller plan.
import type { Violation } from './invariants/open-observer.ts';
import type { Invariant } from './invariants/invariant.ts';
import { INVARIANTS } from './invariants/invariants.ts';
import { playTrial, type Played } from './play-trial.ts';
import { smallerPlans } from './smaller-plans.ts';
import type { Trial } from './trial.ts';
import { FAULTS, without } from './world/faults.ts';

export interface Shrunk {
  readonly trial: Trial;
  readonly played: Played;
  readonly tries: number;
}

/** Trying takes time, and a trial that is small enough to read need not be the smallest. */
const TRIES_MAX = 1_500;

export async function shrink(
  trial: Trial,
  played: Played & { readonly violation: Violation },
  invariants: readonly Invariant[] = INVARIANTS,
): Promise<Shrunk> {
  let best: Shrunk = { trial, played, tries: 0 };
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < TRIES_MAX;) {
    isSmaller = false;
    for (const candidate of candidatesOf(best.trial)) {
      if (tries >= TRIES_MAX) break;
      tries += 1;
      const again = await playTrial(candidate, invariants);
      if (again?.violation?.invariant !== played.violation.invariant) continue;
      best = { trial: candidate, played: again, tries };
      isSmaller = true;
      break;
    }
  }
  return { ...best, tries };
}

/** Smaller trials, those that leave out the most first. */
function* candidatesOf(trial: Trial): Generator<Trial> {
  for (const plan of smallerPlans(trial.plan)) yield { ...trial, plan };
  for (const fault of FAULTS) {
    if (trial.weather[fault] > 0) yield { ...trial, weather: without(trial.weather, fault) };
  }
  if (trial.commandsMax > 0) yield { ...trial, commandsMax: trial.commandsMax - 1 };
  if (trial.amendsMax > 0) yield { ...trial, amendsMax: trial.amendsMax - 1 };
  if (trial.resetsMax > 0) yield { ...trial, resetsMax: trial.resetsMax - 1 };
  if (trial.isShuffled) yield { ...trial, isShuffled: false };
  if (trial.stays) yield { ...trial, stays: false };
  if (trial.policy === 'serial') yield { ...trial, policy: 'parallel' };
  if (trial.mergesAt !== 'here') yield { ...trial, mergesAt: 'here' };
  if (trial.host === 'remote') yield { ...trial, host: 'inside' };
  if (trial.width !== 8) yield { ...trial, width: 8 };
}
