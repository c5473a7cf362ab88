// `npm run replay -- REPOSITORY…`: replays the merges of repositories, and of a generated one when none is given.
//   npm run replay -- ../project [--limit N] [--minutes N] [--seed N]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from './generate.ts';
import { replay } from './replay.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { limit: { type: 'string' }, minutes: { type: 'string' }, seed: { type: 'string' } },
});
const limit = Number(values.limit ?? 1_000);
const limitMs = Number(values.minutes ?? 10) * 60_000;
const root = mkdtempSync(join(tmpdir(), 'heddle-replay-'));
try {
  const generated = join(root, 'generated');
  if (positionals.length === 0) generate({ folder: generated, seed: Number(values.seed ?? 1), merges: limit });
  for (const repository of positionals.length === 0 ? [generated] : positionals) {
    const { differences, ...counts } = await replay({ repository, limit, limitMs });
    console.log(positionals.length === 0 ? 'A generated repository' : repository);
    console.table([{ ...counts, differences: differences.length }]);
    for (const difference of differences) console.log(JSON.stringify(difference));
    if (differences.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
