// `npm run kill -- cluster`: kills of real processes of a trial cluster, chosen by a seed, and what became of the runs.
//   npm run kill -- cluster [--rounds 20] [--seed 1] [--engine postgres]
import { parseArgs } from 'node:util';
import { setTimeout } from 'node:timers/promises';
import { chance, type Chance } from '../../../src/core/schedule/chance.ts';
import { until } from '../world/project.given.ts';
import { givenTrial, type Trial } from './trial.given.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'postgres' },
  },
});

/** `link` is a process that neither hears nor says anything for longer than the lease of a server. */
const VICTIMS = ['host', 'server', 'engine', 'link'] as const;
const MOMENTS_MS = 9_000;
const SILENT_MS = 8_000;
const BOUND_MS = 300_000;

/** Of an engine the process is stopped and goes on: a trial does not start it again. */
async function strike(trial: Trial, victim: (typeof VICTIMS)[number], random: Chance): Promise<void> {
  const name = { host: 'host-1', server: 'serve-1', engine: 'engine', link: ['host-2', 'serve-1'][random.below(2)] };
  const { pid } = trial.part(name[victim] ?? 'serve-1');
  const isForGood = victim === 'host' || victim === 'server';
  process.kill(pid, isForGood ? 'SIGKILL' : 'SIGSTOP');
  if (isForGood) return;
  await setTimeout(SILENT_MS);
  process.kill(pid, 'SIGCONT');
}

/** What was wrong with one round, in words. */
async function play(seed: number): Promise<readonly string[]> {
  const random = chance(seed);
  const victim = VICTIMS[seed % VICTIMS.length] ?? 'server';
  const trial = givenTrial(values.engine === 'restate' ? 'restate' : 'postgres');
  try {
    trial.up();
    const run = await trial.begin();
    await setTimeout(random.below(MOMENTS_MS));
    const struckAt = performance.now();
    await strike(trial, victim, random);
    await until(() => trial.isEnded(2, run), BOUND_MS);
    const { merges, content } = trial.landed(run);
    const begun = trial.begun();
    console.log(
      `seed ${seed}: ${victim}, ended ${Math.round(performance.now() - struckAt)} ms later, began ${begun.join('')}`,
    );
    return [
      ...(merges === 4 ? [] : [`seed ${seed}: ${merges} merges and not 4`]),
      ...(content === 'a\nb\nc' ? [] : [`seed ${seed}: the outcome of a step is lost`]),
    ];
  } catch (cause) {
    return [`seed ${seed}: ${victim}: ${cause instanceof Error ? cause.message : String(cause)}`];
  } finally {
    trial.end();
  }
}

const wrong: string[] = [];
const [rounds, first] = [Number(values.rounds), Number(values.seed)];
for (let seed = first; seed < first + rounds; seed += 1) wrong.push(...(await play(seed)));
for (const line of wrong) console.log(line);
console.log(`${rounds} runs were struck from the seed ${first}; ${wrong.length} things came out wrong.`);
process.exitCode = wrong.length === 0 ? 0 : 1;
