// `npm run sim`: the real loop in many seeded worlds.
//   npm run sim -- --seeds 20000 [--from N] [--processes N]
//   npm run sim -- --seed N          plays one seed, tells its story, and makes it smaller when it fails
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { missingFrom } from './expected.ts';
import { playTrial, type Played } from './play-trial.ts';
import { shrink } from './shrink.ts';
import { sweep, type Sweep } from './sweep.ts';
import { describeTrial, drawTrial } from './trial.ts';

/** Fewer seeds may miss what happens seldom. */
const SEEDS_TO_EXPECT_ALL = 1_000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    processes: { type: 'string', default: String(Math.min(4, availableParallelism())) },
  },
});

const rate = ({ played, tookMs }: Sweep): string => `${Math.round((played / tookMs) * 1_000)} seeds/s`;

function showProgress(done: Sweep): void {
  if (process.stdout.isTTY)
    process.stdout.write(`\r${done.played} seeds, ${rate(done)}, ${done.failures.length} failed `);
}

function printCounts(counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) console.log(`${String(count).padStart(10)}  ${name}`);
}

function printStory(played: Played): void {
  console.log(played.story.join('\n'));
  if (played.violation !== undefined)
    console.log(`\nBroken: ${played.violation.invariant}\n${played.violation.message}`);
}

async function explain(seed: number): Promise<boolean> {
  const trial = drawTrial(seed);
  const played = await playTrial(trial);
  if (played === undefined) throw new Error(`The plan of seed ${seed} is wrong.`);
  console.log(`seed ${seed}\n${describeTrial(trial)}`);
  printStory(played);
  const { violation } = played;
  if (violation === undefined) return true;
  console.log('\nMaking it smaller …');
  const small = await shrink(trial, { ...played, violation });
  console.log(`\nThe same invariant is broken by this, found in ${small.tries} tries:\n${describeTrial(small.trial)}`);
  printStory(small.played);
  console.log(`\nTo repeat: npm run sim -- --seed ${seed}`);
  return false;
}

async function sweepAll(from: number, count: number): Promise<boolean> {
  const done = await sweep({
    from,
    count,
    processes: Number(values.processes),
    isThorough: false,
    onProgress: showProgress,
  });
  console.log(
    `\n${done.played} seeds from ${from}, ${(done.tookMs / 1_000).toFixed(1)} s, ${rate(done)}. What happened:`,
  );
  printCounts(done.counts);
  const [first] = done.failures;
  if (first !== undefined) {
    console.log(`\nSeed ${first.seed} fails.`);
    return explain(first.seed);
  }
  const missing = count >= SEEDS_TO_EXPECT_ALL ? missingFrom(done) : [];
  if (missing.length > 0) console.log(`\nThis never happened, so nothing is proved of it: ${missing.join(', ')}.`);
  else console.log('\nEvery invariant held in every world.');
  return missing.length === 0;
}

const isGood =
  values.seed === undefined
    ? await sweepAll(Number(values.from), Number(values.seeds))
    : await explain(Number(values.seed));
process.exitCode = isGood ? 0 : 1;
