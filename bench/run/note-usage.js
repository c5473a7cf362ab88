// Loaded into the coordinator and into workers by `--import`, to learn what each cost: a line for each when it exits.
import { appendFileSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const program = process.argv[1] ?? '';
  const file = process.env.HEDDLE_BENCH_USAGE;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ program, processorMs: (user + system) / 1000 })}\n`);
});
