// A program that outlives this process: in a session of its own, without the terminal, with a channel if it is one of
// Heddle's own programs that expects messages.
import { spawn } from 'node:child_process';

export interface BackgroundOptions {
  readonly cwd: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Open files for its output. */
  readonly stdout: number | 'ignore';
  readonly stderr: number | 'ignore';
  /** Called with each message of its channel; without this callback there is no channel. */
  readonly onMessage?: (message: unknown) => void;
  readonly onExit: (end: BackgroundEnd) => void;
  /** The program could not be started. Called asynchronously, never during the start. */
  readonly onFailed: (error: unknown) => void;
}

export type BackgroundEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'killed'; readonly signal: string };

export interface BackgroundProcess {
  readonly pid: number | undefined;
  readonly send: (message: object) => void;
  /** False as soon as no message can reach it any more. */
  readonly isConnected: () => boolean;
  readonly disconnect: () => void;
  readonly kill: () => void;
}

const UNSTARTED: BackgroundProcess = {
  pid: undefined,
  send: () => {},
  isConnected: () => false,
  disconnect: () => {},
  kill: () => {},
};

export function startInBackground(
  [program = '', ...args]: readonly string[],
  { cwd, environment, stdout, stderr, onMessage, onExit, onFailed }: BackgroundOptions,
): BackgroundProcess {
  try {
    const child = spawn(program, args, {
      cwd,
      ...(environment === undefined ? {} : { env: environment }),
      detached: true,
      stdio: onMessage === undefined ? ['ignore', stdout, stderr] : ['ignore', stdout, stderr, 'ipc'],
    });
    if (onMessage !== undefined) child.on('message', onMessage);
    child.on('exit', (code, signal) =>
      onExit(signal === null ? { type: 'exited', code: code ?? 0 } : { type: 'killed', signal }),
    );
    // Without a process there is no exit event. Later errors concern the channel, and an exit follows those that
    // matter.
    child.on('error', (error) => {
      if (child.pid === undefined) onFailed(error);
    });
    child.unref();
    child.channel?.unref();
    return {
      pid: child.pid,
      // A message that was lost because the process died is noticed by its exit.
      send: (message) => {
        if (child.connected) child.send(message, () => {});
      },
      isConnected: () => child.connected,
      disconnect: () => {
        if (child.connected) child.disconnect();
      },
      kill: () => {
        child.kill('SIGKILL');
      },
    };
  } catch (error) {
    setImmediate(onFailed, error);
    return UNSTARTED;
  }
}
