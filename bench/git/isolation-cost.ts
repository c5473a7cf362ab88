// What it costs to have the system keep a command apart, beside the same command started as it is.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseIsolation } from '../../src/shell/sandbox/isolation/choose-isolation.ts';
import { openEgressProxy } from '../../src/shell/sandbox/isolation/egress-proxy.ts';
import type { Isolation, IsolationRequest, NetworkPolicy } from '../../src/shell/sandbox/isolation/isolation.ts';
import { median } from './figures.ts';

export interface IsolationRow {
  readonly command: string;
  readonly plainMs: number;
  readonly isolatedMs: number;
  /** With a way out to some hosts. */
  readonly doorMs: number;
}

export type IsolationBench =
  | {
      readonly type: 'measured';
      readonly rows: readonly IsolationRow[];
      readonly askMs: number;
      readonly knownMs: number;
    }
  | { readonly type: 'refused'; readonly message: string };

const COMMANDS: readonly (readonly string[])[] = [['true'], ['git', '--version'], [process.execPath, '-e', '0']];
const REPEATS = 15;
const LIMITS = { fileSize: 1e9, memory: undefined, processes: 4_000 };

export async function benchIsolation(): Promise<IsolationBench> {
  const home = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  const place = join(home, 'place');
  const door = join(home, 'door');
  mkdirSync(place);
  try {
    const first = performance.now();
    const chosen = await chooseIsolation({ wanted: 'os', home });
    const askMs = performance.now() - first;
    if (chosen.type === 'refused') return chosen;
    const second = performance.now();
    await chooseIsolation({ wanted: 'os', home });
    const knownMs = performance.now() - second;
    const proxy = await openEgressProxy({
      folder: door,
      name: 'way',
      allowed: [],
      resolve: undefined,
      upstreamOf: () => undefined,
      say: () => undefined,
    });
    const rows = COMMANDS.map((argv) => measure(chosen.isolation, argv, { place, door }));
    proxy.close();
    return { type: 'measured', rows, askMs, knownMs };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

interface Where {
  readonly place: string;
  readonly door: string;
}

function measure({ wrap }: Isolation, argv: readonly string[], { place, door }: Where): IsolationRow {
  const how = (network: NetworkPolicy): IsolationRequest => ({
    writable: [place],
    readable: [],
    cwd: place,
    home: { folder: place, brought: [], unset: [] },
    network,
    limits: LIMITS,
    session: 'given',
  });
  return {
    command: [argv[0]?.split('/').at(-1), ...argv.slice(1)].join(' '),
    plainMs: medianOf(argv),
    isolatedMs: medianOf(wrap(argv, how({ type: 'none' }))),
    doorMs: medianOf(wrap(argv, how({ type: 'door', folder: door, name: 'way', near: [] }))),
  };
}

function medianOf([program = '', ...args]: readonly string[]): number {
  const took = Array.from({ length: REPEATS }, () => {
    const from = performance.now();
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
    return performance.now() - from;
  });
  return median(took);
}

export function printIsolation(bench: IsolationBench): void {
  console.log('\n## Commands that the system keeps apart\n');
  if (bench.type === 'refused') {
    console.log(bench.message);
    return;
  }
  console.log('| command | as it is | isolated | with hosts to reach |');
  console.log('|---|---|---|---|');
  for (const { command, plainMs, isolatedMs, doorMs } of bench.rows) {
    console.log(`| \`${command}\` | ${[plainMs, isolatedMs, doorMs].map((ms) => `${ms.toFixed(1)} ms`).join(' | ')} |`);
  }
  console.log(
    `\nTo find out that it works: ${bench.askMs.toFixed(1)} ms; to remember it: ${bench.knownMs.toFixed(1)} ms.`,
  );
}
