// One worker process and the channel to it. It is started once and given one claim after the other, because starting
// Node takes longer than most steps.
import { spawn } from 'node:child_process';
import type { ToWorker, ToWorkerAtOnce } from '../../worker-messages.ts';

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
    const untold: ToWorker[] = [];
    // What is given in one go goes in one: it is the waking of the other side that costs.
    const tellAll = (): void => {
      const messages: ToWorkerAtOnce = untold.splice(0);
      // What cannot be told to a worker that has just died is learnt from its exit.
      if (child.connected && messages.length > 0) child.send(messages, () => {});
    };
    return {
      pid: child.pid,
      tell: (message) => {
        if (untold.length === 0) queueMicrotask(tellAll);
        untold.push(message);
      },
      hears: () => child.connected,
      letGo: () => {
        tellAll();
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
