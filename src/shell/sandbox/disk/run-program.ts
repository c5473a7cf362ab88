// Runs one program to its end, with bounds on time and kept output.
import { capture, type CaptureOptions } from '../../exec/capture.ts';

/** A program and its arguments. */
export type Argv = readonly string[];

export interface ProgramEnd {
  /** Undefined when a signal ended it or it could not be started. */
  readonly code: number | undefined;
  readonly output: string;
  /** The end of standard error, or why it did not run. */
  readonly stderr: string;
}

export interface ProgramRequest {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly input: string | undefined;
  readonly limitMs: number;
  /** Whether it has a process group of its own, which ends with it. */
  readonly isGroup?: boolean;
  /** Called with the pid and a function that ends it. */
  readonly onStarted?: (pid: number, end: () => void) => void;
  readonly onMessage?: CaptureOptions['onMessage'];
}

/** The last bytes of each stream are kept, at most this many. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;
const STDERR_LENGTH_MAX = 4_000;

/** Never rejects: a failure to start is one of its results. */
export async function runSandboxProgram(argv: Argv, request: ProgramRequest): Promise<ProgramEnd> {
  const { cwd, environment, input, limitMs, isGroup = false, onStarted, onMessage } = request;
  const [program = ''] = argv;
  const captured = await capture(argv, {
    cwd,
    environment,
    input,
    timeoutMs: limitMs,
    keptBytesMax: KEPT_BYTES_MAX,
    group: isGroup ? 'end' : undefined,
    onStarted,
    onMessage,
  });
  const { end } = captured;
  const stderr = captured.stderr.toString('utf8').trim().slice(-STDERR_LENGTH_MAX);
  const output = captured.stdout.toString('utf8');
  switch (end.type) {
    case 'exited':
      return { code: end.code, output, stderr };
    case 'killed':
      return { code: undefined, output, stderr: `${program} was ended by ${end.signal}. ${stderr}`.trim() };
    case 'timeout':
    case 'aborted':
      return { code: undefined, output, stderr: `${program} was ended after ${limitMs} ms. ${stderr}`.trim() };
    case 'unstarted':
      return { code: undefined, output: '', stderr: `${program} could not be started: ${end.message}` };
  }
}
