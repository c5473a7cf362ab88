// Starts one program and waits for it, with a bound on time and on what is kept of its output.
import { spawn } from 'node:child_process';

export interface Ending {
  /** Undefined when a signal ended it or it could not be started. */
  readonly code: number | undefined;
  readonly output: string;
  /** What it complained about, or why it did not run. */
  readonly complaint: string;
}

export interface ProgramOrder {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly input: string | undefined;
  readonly limitMs: number;
  /** Told which process it is, and how to end it. */
  readonly onStarted?: (pid: number, end: () => void) => void;
}

/** Of each stream so much is kept, from its end. */
const KEPT_LENGTH_MAX = 64 * 1024 * 1024;
const COMPLAINT_LENGTH_MAX = 4_000;

/** Never rejects: a program that cannot be started is an ending like any other. */
export function runProgram(argv: readonly string[], order: ProgramOrder): Promise<Ending> {
  const [program = '', ...args] = argv;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: order.cwd,
      env: order.environment,
      stdio: [order.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      timeout: order.limitMs,
      killSignal: 'SIGKILL',
    });
    if (child.pid !== undefined) order.onStarted?.(child.pid, () => child.kill('SIGKILL'));
    const output = gather(child.stdout);
    const complaint = gather(child.stderr);
    // A program that ends before it has read everything says why by itself.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(order.input);
    child.on('error', (cause) => {
      resolve({ code: undefined, output: '', complaint: `${program} could not be started: ${cause.message}` });
    });
    child.on('close', (code, signal) => {
      const said = complaint().trim().slice(-COMPLAINT_LENGTH_MAX);
      const ended = signal === null ? said : `${program} was ended by ${signal}. ${said}`.trim();
      resolve({ code: code ?? undefined, output: output(), complaint: ended });
    });
  });
}

function gather(stream: NodeJS.ReadableStream | null): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  stream?.on('data', (part: Buffer) => {
    parts.push(part);
    size += part.length;
    while (size > KEPT_LENGTH_MAX && parts.length > 1) size -= parts.shift()?.length ?? 0;
  });
  return () => Buffer.concat(parts).toString('utf8');
}
