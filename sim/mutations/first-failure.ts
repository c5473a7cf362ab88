// Plays seeds from 1 on until one fails, and prints that one: what `mutate.ts` runs in a copy of the tree.
import { playTrial } from '../play-trial.ts';
import { drawTrial } from '../trial.ts';

const seedsMax = Number(process.argv[2] ?? 1);

async function firstFailure(): Promise<object> {
  for (let seed = 1; seed <= seedsMax; seed += 1) {
    const played = await playTrial(drawTrial(seed));
    if (played?.violation !== undefined) return { seed, ...played.violation };
  }
  return {};
}

console.log(JSON.stringify(await firstFailure()));
