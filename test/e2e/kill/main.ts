// `npm run kill`: many kills of real processes, and a table of what became of the runs.
//   npm run kill -- --rounds 200 [--seed 1] [--at-once 3] [--victim worker]
import { parseArgs } from 'node:util';
import { inWords, playAll, playUndisturbed, scenariosFrom } from './matrix.ts';
import { VICTIMS } from './scenario.ts';
import { isGood, type Verdict } from './verdict.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '3' },
    victim: { type: 'string' },
  },
});
const seed = Number(values.seed);
const victims = VICTIMS.filter((victim) => values.victim === undefined || values.victim === victim);

const undisturbed = await playUndisturbed();
const { lines, tookMs, verdict } = undisturbed;
console.log(
  `Undisturbed: ${lines} events in ${Math.round(tookMs)} ms, ${verdict.peak} at work at once, ${verdict.poolPeak} in the pool.`,
);
if (!isGood(verdict)) console.log(inWords(verdict));

const verdicts = await playAll({
  scenarios: scenariosFrom({ seed, count: Number(values.rounds), victims, undisturbed }),
  expected: undisturbed.result,
  atOnce: Number(values['at-once']),
  onVerdict: (one) => console.log(isGood(one) ? progress(one) : inWords(one)),
});
for (const row of rowsOf(verdicts)) console.log(row);
const bad = verdicts.filter((one) => !isGood(one));
console.log(`${verdicts.length} runs were killed from the seed ${seed}; ${bad.length} came out wrong.`);
process.exitCode = bad.length === 0 && isGood(verdict) ? 0 : 1;

function progress({ played, peak, poolPeak }: Verdict): string {
  const { scenario, where, kills } = played;
  return `seed ${scenario.seed}: ${scenario.victim} at ${where ?? 'nothing'}, ${kills} kills, peak ${peak}/${poolPeak}: good`;
}

/** A row for each place and victim: how many rounds, how many kills, and what went wrong in them. */
function rowsOf(all: readonly Verdict[]): readonly string[] {
  const groups = Map.groupBy(all, ({ played }) => `${played.where ?? 'not killed'}|${played.scenario.victim}`);
  const sum = (group: readonly Verdict[], count: (one: Verdict) => number): string =>
    String(group.reduce((total, one) => total + count(one), 0));
  const rows = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, group]) => [
      ...key.split('|'),
      String(group.length),
      sum(group, ({ played }) => played.kills),
      sum(group, ({ lost }) => lost.length),
      sum(group, ({ doubled }) => doubled.length),
      sum(group, ({ leftRunning }) => leftRunning.length),
      sum(group, ({ wrong }) => wrong.length),
    ]);
  const head = ['killed at', 'what', 'rounds', 'kills', 'lost', 'doubled', 'left running', 'wrong'];
  return [
    '',
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
  ];
}
