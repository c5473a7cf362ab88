// The web server beside a coordinator, as a process of its own: the loop does no work for tabs, and a bug in one cannot end
// the other. What is secret goes through a channel between the two, never through arguments, environment or files.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '../../core/plan/json-fields.ts';
import { startInBackground } from '../../shell/exec/background-process.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import type { Project } from '../project.ts';

export interface WebProcess {
  readonly url: string;
  /** With which tickets for answers are signed. */
  readonly secret: string;
  readonly stop: () => void;
}

export type WebProcessStarted =
  | ({ readonly type: 'started' } & WebProcess)
  | { readonly type: 'failed'; readonly message: string };

/** The first message to the server. */
export interface WebParent {
  readonly secret: string;
}

/** The first message from the server. */
export type WebChild =
  | { readonly type: 'started'; readonly url: string }
  | { readonly type: 'failed'; readonly message: string };

const STARTS_WITHIN_MS = 60_000;

/** `flags` are those of `heddle web`. The server ends with this process. */
export function startWebProcess(project: Project, run: string, flags: readonly string[]): Promise<WebProcessStarted> {
  const secret = randomBytes(32).toString('base64url');
  return new Promise((resolve) => {
    // The child does not keep this process alive, so the wait for its answer does.
    const timer = setTimeout(() => fail('its process did not answer'), STARTS_WITHIN_MS);
    const settle = (started: WebProcessStarted): void => {
      clearTimeout(timer);
      resolve(started);
    };
    const fail = (message: string): void => settle({ type: 'failed', message });
    const child = startInBackground(
      [process.execPath, join(PACKAGE_ROOT, 'bin', 'heddle.js'), 'web', run, '--with-parent', ...flags],
      {
        cwd: project.root,
        stdout: 'ignore',
        stderr: 'ignore',
        onMessage: (message) => {
          const read = childIn(message);
          if (read?.type === 'started') settle({ type: 'started', url: read.url, secret, stop: child.disconnect });
          else if (read !== undefined) fail(read.message);
        },
        onExit: () => fail('its process ended'),
        onFailed: () => fail('its process did not start'),
      },
    );
    const parent: WebParent = { secret };
    child.send(parent);
  });
}

function childIn(message: unknown): WebChild | undefined {
  if (!isObject(message)) return undefined;
  const { type, url, message: says } = message;
  if (type === 'started' && typeof url === 'string') return { type, url };
  return type === 'failed' ? { type, message: String(says) } : undefined;
}

export interface Parent {
  readonly secret: string;
  readonly tell: (child: WebChild) => void;
  /** Resolves when the parent has ended, or wants no server any more. */
  readonly gone: Promise<void>;
}

/** The parent of this process, once it has sent its message. */
export async function awaitParent(): Promise<Parent> {
  const gone = new Promise<void>((resolve) => void process.once('disconnect', () => resolve()));
  const secret = await new Promise<string>((resolve) => {
    process.once('message', (message) => {
      resolve(isObject(message) && typeof message['secret'] === 'string' ? message['secret'] : '');
    });
  });
  return { secret, gone, tell: (child) => void process.send?.(child) };
}
