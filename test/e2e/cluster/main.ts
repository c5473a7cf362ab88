// `npm run kill -- cluster`: the machines of a cluster are struck, again and again, while runs go on; choices come from a seed.
//   npm run kill -- cluster [--strikes 10] [--seed 1] [--engine postgres|restate] [--victim host,machine,server,engine,link,cut]
//     [--together]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chance } from '../../../src/core/schedule/chance.ts';
import { openMachines, SERVERS, type Machines } from './machines.given.ts';
import { headsOf } from './heads-of.ts';
import { HOSTS, mayLose, strike, VICTIMS, type Victim } from './strike.ts';
import type { Line } from '../world/project.given.ts';
import { isOver, judgeStruck, LONG, makeStruckPlan, SHORT, type Found } from './struck-run.ts';
import { networkNeed } from './network.given.ts';
import { watchOwners, type Watch } from './watch-owners.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    strikes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'postgres' },
    together: { type: 'boolean', default: false },
    victim: { type: 'string', default: VICTIMS.join(',') },
  },
});

const AT_ONCE = 2;
const PAUSE_MS = 1_500;
const LOOK_EVERY_MS = 300;
/** Parts that are struck together fail more often than leases end, and nothing could be taken over: after this time all are let go on. */
const TOGETHER_MS = 25_000;
const STUCK_MS = 900_000;

const random = chance(Number(values.seed));
const engine = values.engine === 'restate' ? 'restate' : 'postgres';
const { missing } = networkNeed();
if (missing !== undefined) throw new Error(`The machines of a cluster have a network of their own, and ${missing}.`);
const wanted = VICTIMS.filter((victim) => values.victim.split(',').includes(victim));

interface Row {
  strikes: number;
  runs: number;
  lost: number;
  doubled: number;
  overspent: number;
  overrun: number;
  wrong: number;
  full: number;
}

const emptyRow = (): Row => ({
  strikes: 0,
  runs: 0,
  lost: 0,
  doubled: 0,
  overspent: 0,
  overrun: 0,
  wrong: 0,
  full: 0,
});

const rows = new Map<Victim | 'together', Row>();

function rowOf(name: Victim | 'together'): Row {
  const row = rows.get(name) ?? emptyRow();
  rows.set(name, row);
  return row;
}

function note(row: Row, run: string, found: Found): void {
  row.runs += 1;
  row.full += found.full;
  for (const name of ['lost', 'doubled', 'overspent', 'overrun', 'wrong'] as const) {
    row[name] += found[name].length;
    for (const line of found[name]) console.log(`  ${run}: ${name}: ${line}`);
  }
}

let plans = 0;

/** Some runs, and strikes until all of them have ended: of one victim after another, or of several at the same time. */
async function round(cluster: Machines, victims: readonly Victim[], watch: Watch): Promise<void> {
  const going = Array.from({ length: AT_ONCE }, () => {
    const seconds = victims.includes('cut') ? LONG : SHORT;
    const plan = makeStruckPlan(join(cluster.folder, 'plans', String((plans += 1))), seconds);
    return { plan, run: cluster.begin(1 + random.below(SERVERS), plan.file) };
  });
  const logOf = (run: string): readonly Line[] => {
    const [one, other] = [cluster.log(1, run), cluster.log(2, run)];
    return one.length > other.length ? one : other;
  };
  const areOver = (): boolean => going.every(({ run }) => isOver(logOf(run)));
  const since = performance.now();
  const strikeOften = async (victim: Victim): Promise<void> => {
    while (!areOver()) {
      const isLetGo = interrupted.signal.aborted || (victims.length > 1 && performance.now() - since > TOGETHER_MS);
      if (performance.now() - since > STUCK_MS)
        throw new Error(`${going.map(({ run }) => run).join(', ')} came to no end.`);
      await setTimeout(random.below(PAUSE_MS));
      if (isLetGo || areOver()) continue;
      const said = await strike(cluster, victim, { random, watch });
      rowOf(victim).strikes += 1;
      console.log(`${String(Math.round(performance.now() - since)).padStart(7)} ${said}`);
      await setTimeout(LOOK_EVERY_MS);
    }
  };
  await Promise.all(victims.map(strikeOften));
  const row = rowOf(victims.length > 1 ? 'together' : (victims[0] ?? 'together'));
  for (const { run, plan } of going) {
    const evidence = { folder: plan.folder, log: logOf(run), git: cluster.git, run, mayLose: victims.some(mayLose) };
    note(row, run, judgeStruck(evidence));
  }
}

function print({ takeovers, appends }: Watch): void {
  console.log(`\n${engine}, seed ${values.seed}`);
  console.table(Object.fromEntries(rows));
  const load = loadavg()[0]?.toFixed(0);
  const timed = { 'after a strike another server had a run': takeovers, 'and had appended to it': appends };
  for (const [what, times] of Object.entries(timed)) {
    const sorted = times.toSorted((one, other) => one - other).map(Math.round);
    const half = sorted[Math.floor(sorted.length / 2)];
    if (sorted.length > 0)
      console.log(
        `${what}, ${sorted.length} times: half within ${half} ms, the slowest ${sorted.at(-1)} ms (load ${load})`,
      );
  }
}

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort());

const cluster = await openMachines(engine, HOSTS);
const watch = watchOwners(await headsOf(engine, cluster.engineUrl));
try {
  const isDue = (victim: Victim): boolean => rowOf(victim).strikes < Number(values.strikes);
  while (wanted.some(isDue) && !interrupted.signal.aborted) {
    const due = wanted.filter(isDue);
    for (const victims of values.together ? [due] : due.map((victim) => [victim])) await round(cluster, victims, watch);
  }
} catch (cause) {
  console.log(cause);
  for (const { name } of cluster.parts.filter(({ name: each }) => !each.startsWith('engine')))
    console.log(`--- ${name}\n${cluster.said(name).slice(-3_000)}`);
  process.exitCode = 1;
} finally {
  watch.stop();
  print(watch);
  await cluster.remove();
}
for (const { lost, doubled, overspent, overrun, wrong } of rows.values())
  if (lost + doubled + overspent + overrun + wrong > 0) process.exitCode = 1;
process.exit();
