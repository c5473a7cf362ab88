// A run on hosts that have joined a server, all on this machine, beside the same run on one machine: what it takes that
// claims, commits and files travel. At a width that this machine has processors for, and at one at which they wait for them.
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Ended, Line } from '../run/heddle.ts';
import { runAlone, serve, startHostProgram, type Served } from './served.ts';

export interface HostsFigure {
  readonly tasks: number;
  readonly hosts: number;
  /** Of each host. */
  readonly width: number;
  /** Of this machine in the last minute, before and after. */
  readonly load: readonly [before: number, after: number];
  readonly aloneMs: number;
  readonly onHostsMs: number;
  /** From the claim in the log to the worker that has it, in the middle and of the slowest in a hundred. */
  readonly startMs: { readonly p50: number; readonly p99: number };
}

const HOSTS = 2;
const WIDTHS = [4, 1] as const;
const START_MS_MAX = 100;
const RATIO_MAX = 2;

export async function benchHosts(tasks: number): Promise<readonly HostsFigure[]> {
  const figures: HostsFigure[] = [];
  for (const width of WIDTHS) figures.push(await measure(tasks, width));
  return figures;
}

async function measure(tasks: number, width: number): Promise<HostsFigure> {
  const before = loadOfMachine();
  const plan = planOf(tasks, width);
  const alone = await runAlone(plan);
  const served = await serve(plan);
  const programs = Array.from({ length: HOSTS }, (_, at) => startHostProgram(served, `host-${at}`, width));
  try {
    const onHosts = await served.run();
    const startMs = startsOf(served, onHosts);
    const load = [before, loadOfMachine()] as const;
    return { tasks, hosts: HOSTS, width, load, aloneMs: lastedMs(alone), onHostsMs: lastedMs(onHosts), startMs };
  } finally {
    for (const program of programs) program.kill('SIGKILL');
    served.close();
  }
}

const loadOfMachine = (): number => loadavg()[0] ?? NaN;

const planOf = (tasks: number, width: number): string =>
  [
    'heddle: 1',
    'name: bench',
    `max_parallel: ${HOSTS * width}`,
    `hosts: { max_parallel: ${HOSTS * width} }`,
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

export function printHosts(figures: readonly HostsFigure[]): void {
  for (const { tasks, hosts, width, load, aloneMs, onHostsMs, startMs } of figures) {
    const [before, after] = load.map((each) => each.toFixed(1));
    console.log(`\n${tasks} steps \`true\`, each in a sandbox of its own and merged, ${hosts * width} at once`);
    console.log(`Load of this machine: ${before} before, ${after} after.`);
    const ratio = onHostsMs / aloneMs;
    console.table([
      { what: 'one machine', measured: `${Math.round(aloneMs)} ms`, asked: '' },
      {
        what: `a server and ${hosts} hosts of width ${width}, all here`,
        measured: `${Math.round(onHostsMs)} ms`,
        asked: '',
      },
      { what: 'ratio', measured: ratio.toFixed(2), asked: bound(ratio, RATIO_MAX, '') },
      { what: 'from claim to worker, in the middle', measured: `${startMs.p50} ms`, asked: '' },
      {
        what: 'from claim to worker, 99 of 100',
        measured: `${startMs.p99} ms`,
        asked: bound(startMs.p99, START_MS_MAX, ' ms'),
      },
    ]);
  }
}

const bound = (measured: number, most: number, unit: string): string =>
  `at most ${most}${unit}: ${measured <= most ? 'met' : 'not met'}`;
