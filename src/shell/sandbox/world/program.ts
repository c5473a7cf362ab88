// Starts one program and waits for it, with a bound on time and on what is kept of its output.
import { spawn, type ChildProcess } from 'node:child_process';
import { hearOut } from '../../git/run/hear-out.ts';

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
  /** Whether it has a process group of its own, all of which ends with it. */
  readonly isGroup?: boolean;
  /** Told which process it is, and how to end it. */
  readonly onStarted?: (pid: number, end: () => void) => void;
}

/** Of each stream so much is kept, from its end. */
const KEPT_LENGTH_MAX = 64 * 1024 * 1024;
const COMPLAINT_LENGTH_MAX = 4_000;

/** Never rejects: a program that cannot be started is an ending like any other. */
export async function runProgram(argv: readonly string[], order: ProgramOrder): Promise<Ending> {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    cwd: order.cwd,
    env: order.environment,
    stdio: [order.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: order.isGroup ?? false,
  });
  const end = (): void => killAll(child, order.isGroup ?? false);
  if (child.pid !== undefined) order.onStarted?.(child.pid, end);
  const late = setTimeout(end, order.limitMs);
  // What is left of its group ends with it.
  if (order.isGroup === true) child.once('exit', end);
  // A program that ends before it has read everything says why by itself.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(order.input);
  try {
    const { code, signal, output, complaint } = await hearOut(child, KEPT_LENGTH_MAX);
    const said = complaint.toString('utf8').trim().slice(-COMPLAINT_LENGTH_MAX);
    const ended = signal === null ? said : `${program} was ended by ${signal}. ${said}`.trim();
    return { code: code ?? undefined, output: output.toString('utf8'), complaint: ended };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return { code: undefined, output: '', complaint: `${program} could not be started: ${why}` };
  } finally {
    clearTimeout(late);
  }
}

function killAll({ pid }: ChildProcess, isGroup: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(isGroup ? -pid : pid, 'SIGKILL');
  } catch {
    // There is nobody left.
    return;
  }
}
