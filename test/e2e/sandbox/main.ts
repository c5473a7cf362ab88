// `npm run kill -- sandbox [--rounds 300] [--seed 1] [--at-once 2] [--way overlay]`: kills at random moments of every action
// on sandboxes and git. With `--crowd 100` nothing is killed: 32 sandboxes at once are made, worked in and destroyed, so
// many times over.
import { parseArgs } from 'node:util';
import { mountsBelow } from '../first/left-over.given.ts';
import { Arena, type Verdict } from './arena.ts';
import { AT_ONCE, playCrowd } from './many-sandboxes.ts';
import { workingWays, type Way } from './ways.given.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
    way: { type: 'string' },
    crowd: { type: 'string' },
  },
});
const ways = (await workingWays()).filter((way) => values.way === undefined || values.way === way);

/** An arena grows with every round, so that after so many a fresh one is quicker. */
const ROUNDS_OF_ARENA = 60;
/** So often everything is ended and looked at. */
const LAST_EVERY = 4;

interface Part {
  readonly way: Way;
  readonly seed: number;
  readonly rounds: number;
}

async function playPart({ way, seed, rounds }: Part): Promise<readonly Verdict[]> {
  const arena = new Arena();
  const verdicts: Verdict[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const isLast = round % LAST_EVERY === 0 || round === rounds;
    const verdict = await arena.play({ way, seed: seed + round, killsGroup: round % 2 === 0, isLast });
    verdicts.push(verdict);
    for (const line of verdict.wrong) console.log(`${way}, seed ${verdict.round.seed}: ${line}`);
  }
  await arena.close();
  return verdicts;
}

async function kill(rounds: number): Promise<boolean> {
  const each = Math.ceil(rounds / ways.length);
  const parts = ways.flatMap((way, index) =>
    Array.from({ length: Math.ceil(each / ROUNDS_OF_ARENA) }, (_, part) => ({
      way,
      seed: Number(values.seed) + index * each + part * ROUNDS_OF_ARENA,
      rounds: Math.min(ROUNDS_OF_ARENA, each - part * ROUNDS_OF_ARENA),
    })),
  );
  const verdicts: Verdict[] = [];
  const take = async (): Promise<void> => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const played = await playPart(part);
      verdicts.push(...played);
      console.log(`${verdicts.length} kills so far, ${verdicts.filter(({ wrong }) => wrong.length > 0).length} wrong.`);
    }
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, take));
  for (const way of ways) {
    const mine = verdicts.filter(({ round }) => round.way === way);
    const facts = mine.reduce((sum, one) => sum + one.facts, 0);
    const wrong = mine.filter((one) => one.wrong.length > 0).length;
    console.log(`${way}: ${mine.length} kills, ${facts} facts told, ${wrong} rounds came out wrong.`);
  }
  return verdicts.every(({ wrong }) => wrong.length === 0);
}

async function crowd(rounds: number): Promise<boolean> {
  let failures = 0;
  for (const way of ways) {
    const arena = new Arena();
    const { repository, sandboxes } = await arena.open(way);
    const begin = performance.now();
    for (let round = 1; round <= rounds; round += 1) {
      const wrong = await playCrowd({ repository, sandboxes, run: `r${round}` });
      failures += wrong.length;
      for (const line of wrong) console.log(`${way}, round ${round}: ${line}`);
    }
    const seconds = (performance.now() - begin) / 1000 / rounds;
    const left = mountsBelow(arena.root).length;
    failures += left;
    console.log(
      `${way}: ${rounds} rounds of ${AT_ONCE} at once, ${seconds.toFixed(1)} s each; ${failures} failures so far, ${left} mounts left.`,
    );
    await arena.close();
  }
  return failures === 0;
}

const isGood = values.crowd === undefined ? await kill(Number(values.rounds)) : await crowd(Number(values.crowd));
process.exitCode = isGood ? 0 : 1;
