// The processor time until `heddle mcp` has told a client its tools and has ended, beside a Node that answers one line.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ReadyFigure {
  readonly call: string;
  /** The median, and the least, which other work on the machine disturbs least. */
  readonly processorMs: number;
  readonly leastMs: number;
}

const ROUNDS = 9;
/** The claim. */
const BOUND_MS = 300;

const PROGRAM = join(import.meta.dirname, '..', 'bin', 'heddle.js');
const USAGE = join(import.meta.dirname, 'run', 'note-usage.js');
const ECHO = "process.stdin.once('data', () => process.stdout.write('{\"id\":2}\\n'))";

const INFO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
const MESSAGES = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: INFO },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
];

export async function benchReady(): Promise<readonly ReadyFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  const calls = [
    ['node that answers', ['-e', ECHO]],
    ['heddle mcp', [PROGRAM, 'mcp']],
  ] as const;
  const figures: ReadyFigure[] = [];
  for (const [call, args] of calls) {
    // What Node keeps of the code that it compiled is there for people too.
    await ready(folder, args);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) times.push(await ready(folder, args));
    const sorted = times.toSorted((one, other) => one - other);
    figures.push({ call, processorMs: sorted[Math.floor(ROUNDS / 2)] ?? Number.NaN, leastMs: sorted[0] ?? Number.NaN });
  }
  rmSync(folder, { recursive: true });
  return figures;
}

async function ready(folder: string, args: readonly string[]): Promise<number> {
  const usage = join(folder, 'usage');
  const child = spawn(process.execPath, ['--import', USAGE, ...args], {
    cwd: folder,
    env: { ...process.env, HEDDLE_BENCH_USAGE: usage },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => void child.once('close', resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/"id":2\b/.test(line)) child.stdin.end();
  });
  child.stdin.write(MESSAGES.map((message) => `${JSON.stringify(message)}\n`).join(''));
  await ended;
  const [line = ''] = readFileSync(usage, 'utf8').split('\n');
  rmSync(usage);
  // `note-usage.js` writes this line.
  return (JSON.parse(line) as { readonly processorMs: number }).processorMs;
}

export function printReady(figures: readonly ReadyFigure[]): void {
  console.log(`\nReady for a client, ${ROUNDS} rounds, processor time from the start to the end of the process`);
  console.table(
    figures.map(({ call, processorMs, leastMs }) => ({
      call,
      ms: Number(processorMs.toFixed(0)),
      'least ms': Number(leastMs.toFixed(0)),
      [`under ${BOUND_MS} ms`]: processorMs < BOUND_MS ? 'yes' : 'NO',
    })),
  );
}
