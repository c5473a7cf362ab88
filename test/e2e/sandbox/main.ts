// `npm run kill -- sandbox [--rounds 300] [--seed 1]`: kills at random moments of every deed on sandboxes.
import { parseArgs } from 'node:util';
import { Arena, type Verdict } from './arena.ts';
import { workingWays } from './ways.given.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
});
const ways = await workingWays();

const verdicts: Verdict[] = [];
for (const way of ways) {
  const arena = new Arena();
  for (let round = 0; round < Number(values.rounds) / ways.length; round += 1) {
    const verdict = await arena.play({ way, seed: Number(values.seed) + round, killsGroup: round % 2 === 0 });
    verdicts.push(verdict);
    for (const line of verdict.wrong) console.log(`${way}, seed ${verdict.round.seed}: ${line}`);
  }
  const mine = verdicts.filter(({ round }) => round.way === way);
  const facts = mine.reduce((sum, one) => sum + one.facts, 0);
  const wrong = mine.filter((one) => one.wrong.length > 0).length;
  console.log(`${way}: ${mine.length} kills, ${facts} facts told, ${wrong} rounds came out wrong.`);
  await arena.close();
}
process.exitCode = verdicts.every(({ wrong }) => wrong.length === 0) ? 0 : 1;
