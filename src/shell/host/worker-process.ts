// One worker process and the channel to it. It is started once and given one claim after the other, because starting
// Node takes longer than most steps.
import { spawn } from 'node:child_process';
import type { ToWorker } from './worker-messages.ts';

export interface WarmWorker {
  readonly pid: number | undefined;
  readonly tell: (message: ToWorker) => void;
  /** False as soon as nothing can be told to it any more. */
  readonly hears: () => boolean;
  /** Closes the channel: an idle worker exits, one at work goes on to the end and exits then. */
  readonly letGo: () => void;
  readonly kill: () => void;
}

export interface Starting {
  readonly program: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Where what it prints about its own trouble goes. */
  readonly errors: number | 'ignore';
  readonly onMessage: (message: unknown) => void;
  readonly onExit: (how: string) => void;
  /** Called later, never during the start. */
  readonly onFailed: (error: unknown) => void;
}

export function startWarmWorker({ program, onMessage, onExit, onFailed, ...starting }: Starting): WarmWorker {
  const [command = '', ...args] = program;
  try {
    const { cwd, environment: env, errors } = starting;
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'ignore', errors, 'ipc'] });
    child.on('message', onMessage);
    child.on('exit', (code, signal) => onExit(signal === null ? `exited with code ${code}` : `was ended by ${signal}`));
    // Without a process there is no exit either. Later errors are of the channel, and an exit follows those that matter.
    child.on('error', (error) => {
      if (child.pid === undefined) onFailed(error);
    });
    child.unref();
    child.channel?.unref();
    return {
      pid: child.pid,
      // A message that a worker died before receiving is learnt from its exit.
      tell: (message) => {
        if (child.connected) child.send(message, () => {});
      },
      hears: () => child.connected,
      letGo: () => {
        if (child.connected) child.disconnect();
      },
      kill: () => {
        child.kill('SIGKILL');
      },
    };
  } catch (error) {
    setImmediate(onFailed, error);
    return { pid: undefined, tell: () => {}, hears: () => false, letGo: () => {}, kill: () => {} };
  }
}
