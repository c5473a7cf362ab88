// The synchronous form of `capture`, for a short command whose output is needed at once.
import { spawnSync } from 'node:child_process';

export interface CaptureNowOptions {
  readonly cwd?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  readonly keptBytesMax?: number;
}

export interface CapturedNow {
  /** Undefined when a signal ended it or it could not be started. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it could not be started or was ended. */
  readonly error: string | undefined;
}

const TIMEOUT_MS = 60_000;
const KEPT_BYTES_MAX = 64 * 1024 * 1024;

export function captureNow([program = '', ...args]: readonly string[], options: CaptureNowOptions = {}): CapturedNow {
  const { cwd, environment, timeoutMs = TIMEOUT_MS, keptBytesMax = KEPT_BYTES_MAX } = options;
  const { status, stdout, stderr, error, signal } = spawnSync(program, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(environment === undefined ? {} : { env: environment }),
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: keptBytesMax,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = signal === null ? undefined : `${program} was ended by ${signal}`;
  return { code: status ?? undefined, stdout: stdout ?? '', stderr: stderr ?? '', error: error?.message ?? ended };
}
