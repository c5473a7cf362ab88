// Loaded into the coordinator and the workers by `--import`, to record their cost: one line per process at its exit.
import { appendFileSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const program = process.argv[1] ?? '';
  const file = process.env.HEDDLE_BENCH_USAGE;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ program, processorMs: (user + system) / 1000 })}\n`);
});
