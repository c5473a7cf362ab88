// Search for large problems: the online rule alone, forwards and backwards in turn, each pass led by the times of the
// one before with a little noise. Every pass costs what one run of the online rule costs.

import type { SearchInput } from './search-input.ts';
import { listSchedule } from './list-schedule.ts';
import type { Online } from './online-priorities.ts';
import { mirrored } from './problem.ts';

/** Noise on a priority, as a part of the makespan. */
const NOISE_SHARE = 0.02;

export function sampleOnline({ problem, boundMs, first, random, options }: SearchInput): Online {
  const backwards = mirrored(problem);
  let best = first;
  for (let schedules = 0; schedules + 2 <= options.schedulesMax; schedules += 2) {
    if (best.schedule.makespanMs <= boundMs || options.shouldStop?.() === true) break;
    const { startMs, makespanMs } = best.schedule;
    const noiseMs = schedules === 0 ? 0 : NOISE_SHARE * makespanMs;
    const ends = startMs.map(
      (start, activity) => start + (problem.durationMs[activity] ?? 0) + noiseMs * random.normal(),
    );
    const mirrored = listSchedule(backwards, { priority: ends });
    const priority = mirrored.startMs.map((start, activity) => start + (problem.durationMs[activity] ?? 0));
    const schedule = listSchedule(problem, { priority });
    if (schedule.makespanMs < makespanMs) best = { priority, schedule };
  }
  return best;
}
