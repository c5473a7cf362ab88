// The cost of isolating a command, beside the same command without isolation.
import { failureText, type SandboxFailure } from '../../src/core/protocol/sandbox-failure.ts';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseIsolation } from '../../src/shell/sandbox/isolation/choose-isolation.ts';
import type { Isolation, IsolationRequest, NetworkPolicy } from '../../src/shell/sandbox/isolation/isolation.ts';
import { capture } from '../../src/shell/exec/capture.ts';
import { median } from './print-figures.ts';

export interface IsolationRow {
  readonly command: string;
  readonly plainMs: number;
  readonly isolatedMs: number;
  /** With network access to some hosts. */
  readonly proxyMs: number;
}

export type IsolationBench =
  | {
      readonly type: 'measured';
      readonly rows: readonly IsolationRow[];
      readonly askMs: number;
      readonly knownMs: number;
    }
  | { readonly type: 'refused'; readonly failure: SandboxFailure };

const COMMANDS: readonly (readonly string[])[] = [['true'], ['git', '--version'], [process.execPath, '-e', '0']];
const REPEATS = 15;
const LIMITS = { fileSize: 1e9, memory: undefined, processes: 4_000 };

export async function benchIsolation(): Promise<IsolationBench> {
  const home = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  const place = join(home, 'place');
  mkdirSync(place);
  try {
    const first = performance.now();
    const chosen = await chooseIsolation({ wanted: 'os', home });
    const askMs = performance.now() - first;
    if (chosen.type === 'refused') return chosen;
    const second = performance.now();
    await chooseIsolation({ wanted: 'os', home });
    const knownMs = performance.now() - second;
    const rows: IsolationRow[] = [];
    for (const argv of COMMANDS) rows.push(await measure(chosen.isolation, argv, place));
    return { type: 'measured', rows, askMs, knownMs };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function measure({ wrap }: Isolation, argv: readonly string[], place: string): Promise<IsolationRow> {
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
    plainMs: await medianOf(argv),
    isolatedMs: await medianOf(wrap(argv, how({ type: 'none' }))),
    proxyMs: await medianOf(wrap(argv, how({ type: 'proxy', near: [] }))),
  };
}

async function medianOf(argv: readonly string[]): Promise<number> {
  const took: number[] = [];
  for (let index = 0; index < REPEATS; index += 1) {
    const from = performance.now();
    const { end, stderr } = await capture(argv, { cwd: '/', timeoutMs: TIMEOUT_MS, onMessage: () => undefined });
    if (end.type !== 'exited' || end.code !== 0) throw new Error(`${argv[0]} failed: ${stderr.toString()}`);
    took.push(performance.now() - from);
  }
  return median(took);
}

const TIMEOUT_MS = 60_000;

export function printIsolation(bench: IsolationBench): void {
  console.log('\n## Commands that the system keeps apart\n');
  if (bench.type === 'refused') {
    console.log(failureText(bench.failure));
    return;
  }
  console.log('| command | as it is | isolated | with hosts to reach |');
  console.log('|---|---|---|---|');
  for (const { command, plainMs, isolatedMs, proxyMs } of bench.rows) {
    console.log(
      `| \`${command}\` | ${[plainMs, isolatedMs, proxyMs].map((ms) => `${ms.toFixed(1)} ms`).join(' | ')} |`,
    );
  }
  console.log(
    `\nTo find out that it works: ${bench.askMs.toFixed(1)} ms; to remember it: ${bench.knownMs.toFixed(1)} ms.`,
  );
}
