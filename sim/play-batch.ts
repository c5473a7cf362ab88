// Plays seeds one after the other in this thread.
import { playTrial } from './play-trial.ts';
import type { Batch, BatchPlayed, Failure } from './sweep.ts';
import { drawTrial } from './trial.ts';
import { sumOf } from './world/counts.ts';

export async function playBatch({ from, count }: Batch): Promise<BatchPlayed> {
  const counts: Readonly<Record<string, number>>[] = [];
  const failures: Failure[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const played = await playTrial(drawTrial(seed));
    if (played === undefined) throw new Error(`The plan of seed ${seed} is wrong.`);
    counts.push(played.counts);
    if (played.violation !== undefined) failures.push({ seed, violation: played.violation });
  }
  return { played: count, counts: sumOf(counts), failures };
}
