// A run on hosts that have joined a server, all on this machine, beside the same run on one machine: what it takes that
// claims, commits and files travel.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended, Line } from '../run/heddle.ts';
import { runAlone, serve, startHostProgram, type Served } from './served.ts';

export interface HostsFigure {
  readonly tasks: number;
  readonly hosts: number;
  readonly aloneMs: number;
  readonly onHostsMs: number;
  /** From the claim in the log to the worker that has it, in the middle and of the slowest in a hundred. */
  readonly startMs: { readonly p50: number; readonly p99: number };
}

const HOSTS = 2;
const WIDTH = 4;

export async function benchHosts(tasks: number): Promise<HostsFigure> {
  const plan = planOf(tasks);
  const alone = await runAlone(plan);
  const served = await serve(plan);
  const programs = Array.from({ length: HOSTS }, (_, at) => startHostProgram(served, `host-${at}`, WIDTH));
  try {
    const onHosts = await served.run();
    const startMs = startsOf(served, onHosts);
    return { tasks, hosts: HOSTS, aloneMs: lastedMs(alone), onHostsMs: lastedMs(onHosts), startMs };
  } finally {
    for (const program of programs) program.kill('SIGKILL');
    served.close();
  }
}

const planOf = (tasks: number): string =>
  [
    'heddle: 1',
    'name: bench',
    `max_parallel: ${HOSTS * WIDTH}`,
    `hosts: { max_parallel: ${HOSTS * WIDTH} }`,
    'tasks:',
    ...Array.from({ length: tasks }, (_, at) => `  task-${at}: { run: "true" }`),
    '',
  ].join('\n');

/** By the log, so that the start of programs does not count. */
const lastedMs = ({ lines }: Ended): number => (lines.at(-1)?.at ?? 0) - (lines[0]?.at ?? 0);

/** All clocks are that of this machine. Claims that waited for a host's room count from when they were placed. */
function startsOf({ folder }: Served, { lines }: Ended): HostsFigure['startMs'] {
  const runs = join(folder, '.heddle', 'runs', 'bench-1');
  const placedAt = new Map(lines.filter(isPlaced).map(({ task, at }) => [task, at]));
  const waits = readdirSync(runs)
    .filter((name) => name.includes('.main.'))
    .flatMap((name) => {
      // Our own program wrote it.
      const { at } = JSON.parse(readFileSync(join(runs, name, 'attempt.json'), 'utf8')) as { readonly at: number };
      const placed = placedAt.get(name.slice(0, name.indexOf('.')));
      return placed === undefined ? [] : [at - placed];
    })
    .toSorted((one, other) => one - other);
  const share = (part: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? NaN;
  return { p50: share(0.5), p99: share(0.99) };
}

const isPlaced = ({ type, work }: Line): boolean => type === 'claim.placed' && work === 'step';

export function printHosts({ tasks, hosts, aloneMs, onHostsMs, startMs }: HostsFigure): void {
  console.log(`\n${tasks} steps \`true\`, each in a sandbox of its own and merged`);
  console.table([
    { what: 'one machine', ms: Math.round(aloneMs) },
    { what: `a server and ${hosts} hosts, all on this machine`, ms: Math.round(onHostsMs) },
    { what: 'ratio', ms: Number((onHostsMs / aloneMs).toFixed(2)) },
    { what: 'from claim to worker, in the middle', ms: startMs.p50 },
    { what: 'from claim to worker, 99 of 100', ms: startMs.p99 },
  ]);
}
