// Starts one process of a trial cluster in the background, with its output in a file, and waits until it is ready.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startInBackground } from '../../shell/exec/background-process.ts';
import { Refused } from '../refused.ts';
import { enterPart } from './cluster-book.ts';

/** In the environment of every process of a trial: the folder of the trial. */
export const CLUSTER_TAG = 'HEDDLE_CLUSTER';

export interface ClusterPartOptions {
  readonly home: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Where it can be reached, once it is ready; undefined while it is not. */
  readonly isReady: () => Promise<{ readonly url: string | undefined } | undefined>;
}

const READY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 100;

export const logOf = (home: string, name: string): string => join(home, 'logs', `${name}.log`);

/** The address of the part. */
export async function startPart(options: ClusterPartOptions): Promise<string | undefined> {
  const { home, name, words, cwd, environment = {} } = options;
  mkdirSync(join(home, 'logs'), { recursive: true });
  const log = logOf(home, name);
  const output = openSync(log, 'a');
  const gone = new AbortController();
  const { pid } = startInBackground(words, {
    cwd,
    environment: { ...process.env, ...environment, [CLUSTER_TAG]: home },
    stdout: output,
    stderr: output,
    onExit: () => gone.abort(),
    onFailed: () => gone.abort(),
  });
  closeSync(output);
  if (pid !== undefined) enterPart(home, { name, pid, url: undefined });
  for (let waitedMs = 0; !gone.signal.aborted && waitedMs < READY_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    const ready = await options.isReady();
    if (ready !== undefined && pid !== undefined) {
      enterPart(home, { name, pid, url: ready.url });
      return ready.url;
    }
    await setTimeout(LOOK_EVERY_MS);
  }
  throw new Refused({ code: 'cluster-part', part: name, log });
}
