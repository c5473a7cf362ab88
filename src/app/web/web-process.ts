// The web server beside a coordinator, as a process of its own: the loop does no work for tabs, and a bug in one cannot end
// the other. What is secret goes through a channel between the two, never through arguments, environment or files.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '../../core/plan/json-fields.ts';
import { startInBackground, type BackgroundProcess } from '../../shell/exec/background-process.ts';
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

/** The first message to the server: secrets that outlive it, so that tabs and links reach the server that takes its place. */
export interface WebSecrets {
  readonly secret: string;
  /** Of its address. */
  readonly token: string;
}

/** The first message from the server. */
export type WebChild =
  | { readonly type: 'started'; readonly url: string; readonly port: number }
  | { readonly type: 'failed'; readonly message: string };

const STARTS_WITHIN_MS = 60_000;
/** A server that dies is started again, after twice the time each time. */
const AGAIN_AFTER_MS = 500;
const AGAIN_AFTER_MS_MAX = 60_000;

interface ServerOfRun {
  readonly project: Project;
  readonly run: string;
  /** Flags of `heddle web` besides the port. */
  readonly flags: readonly string[];
}

/** The server ends with this process. */
export function startWebProcess(of: ServerOfRun, port: number): Promise<WebProcessStarted> {
  const secrets: WebSecrets = { secret: makeSecret(), token: makeSecret() };
  let isStopped = false;
  let child: BackgroundProcess | undefined;
  const stop = (): void => {
    isStopped = true;
    child?.disconnect();
  };
  return new Promise((resolve) => {
    // The child does not keep this process alive, so the wait for its answer does.
    const timer = setTimeout(() => fail('its process did not answer'), STARTS_WITHIN_MS);
    let started: Extract<WebChild, { type: 'started' }> | undefined;
    let againAfterMs = AGAIN_AFTER_MS;
    const fail = (message: string): void => {
      clearTimeout(timer);
      resolve({ type: 'failed', message });
    };
    const onMessage = (message: unknown): void => {
      const read = childIn(message);
      if (read?.type === 'failed') return fail(read.message);
      if (read === undefined || started !== undefined) return;
      started = read;
      clearTimeout(timer);
      resolve({ type: 'started', url: read.url, secret: secrets.secret, stop });
    };
    const onEnd = (message: string): void => {
      if (started === undefined) return fail(message);
      if (isStopped) return;
      setTimeout(() => start(started?.port ?? port), againAfterMs).unref();
      againAfterMs = Math.min(2 * againAfterMs, AGAIN_AFTER_MS_MAX);
    };
    const start = (at: number): void => {
      if (isStopped) return;
      child = startChild(of, at, { onMessage, onEnd });
      child.send(secrets);
    };
    start(port);
  });
}

const SECRET_BYTES = 32;
const makeSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

interface ChildListener {
  readonly onMessage: (message: unknown) => void;
  readonly onEnd: (message: string) => void;
}

const startChild = (
  { project, run, flags }: ServerOfRun,
  port: number,
  { onMessage, onEnd }: ChildListener,
): BackgroundProcess =>
  startInBackground(
    [
      process.execPath,
      join(PACKAGE_ROOT, 'bin', 'heddle.js'),
      'web',
      run,
      '--with-parent',
      '--port',
      String(port),
      ...flags,
    ],
    {
      cwd: project.root,
      stdout: 'ignore',
      stderr: 'ignore',
      onMessage,
      onExit: () => onEnd('its process ended'),
      onFailed: () => onEnd('its process did not start'),
    },
  );

function childIn(message: unknown): WebChild | undefined {
  if (!isObject(message)) return undefined;
  const { type, url, port, message: says } = message;
  if (type === 'started' && typeof url === 'string' && typeof port === 'number') return { type, url, port };
  return type === 'failed' ? { type, message: String(says) } : undefined;
}

export interface Parent {
  /** Undefined of a parent that sent none. */
  readonly secrets: WebSecrets | undefined;
  readonly tell: (child: WebChild) => void;
  /** Resolves when the parent has ended, or wants no server any more. */
  readonly gone: Promise<void>;
}

/** The parent of this process, once it has sent its message. */
export async function awaitParent(): Promise<Parent> {
  const gone = new Promise<void>((resolve) => void process.once('disconnect', () => resolve()));
  const secrets = await new Promise<WebSecrets | undefined>((resolve) => {
    process.once('message', (message) => resolve(secretsIn(message)));
  });
  return { secrets, gone, tell: (child) => void process.send?.(child) };
}

function secretsIn(message: unknown): WebSecrets | undefined {
  if (!isObject(message)) return undefined;
  const { secret, token } = message;
  return typeof secret === 'string' && typeof token === 'string' ? { secret, token } : undefined;
}
