// `heddle serve` as a real process, and a host that the test itself is.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { openStore } from '../../../src/shell/store/open-store.ts';
import { systemClock } from '../../../src/shell/loop/steady-clock.ts';
import { fakeHost, type FakeHost } from '../../../src/app/serve/fake-host.given.ts';
import type { HostMessageReply } from '../../../src/core/protocol/host-message.ts';
import { PATIENCE_MS } from '../../patience.given.ts';
import { heddle, ROOT, type Ran } from '../heddle.given.ts';
import { makeProject, type Project } from '../git-project.given.ts';

export interface ServedHere {
  readonly project: Project;
  readonly heddle: (...words: readonly string[]) => Ran;
  /** A command that goes on while the test does. */
  readonly begin: (...words: readonly string[]) => Begun;
  readonly serve: (...flags: readonly string[]) => Promise<Server>;
  readonly token: (name: string, role?: 'host' | 'operator' | 'reader') => string;
  readonly events: (run: string) => readonly Event[];
}

export interface Begun {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly printed: () => string;
}

export interface Server extends Begun {
  readonly base: string;
  readonly port: number;
  /** The token that the server made for its dashboard. */
  readonly session: string;
}

export interface Event {
  readonly type: string;
  readonly task?: string;
  readonly work?: string;
  readonly ending?: string;
  readonly attempt?: number;
  readonly host?: string;
  readonly [field: string]: unknown;
}

export function givenServed(plan: string): ServedHere {
  const project = makeProject({ 'plan.yaml': plan });
  const cwd = project.folder;
  const run = (...words: readonly string[]): Ran => heddle(words, { cwd });
  const begin = (...words: readonly string[]): Begun => beginIn(cwd, words);
  return {
    project,
    heddle: run,
    begin,
    serve: async (...flags) => await serverIn(begin('serve', '--listen', '127.0.0.1:0', ...flags)),
    token: (name, role = 'host') => run('token', 'add', name, '--role', role).out.trim(),
    events: (named) => eventsIn(join(cwd, '.heddle'), named),
  };
}

/** From the store itself: a program for each look would keep the machine busy. */
function eventsIn(home: string, run: string): readonly Event[] {
  const opened = openStore(home, { mode: 'read', clock: systemClock });
  if (opened.type === 'failed') return [];
  try {
    // The program under test wrote it.
    return opened.store.textsFrom(run, 0).texts.map(({ json }) => JSON.parse(json) as Event);
  } finally {
    opened.store.close();
  }
}

function beginIn(cwd: string, words: readonly string[]): Begun {
  const child = spawn(process.execPath, [`${ROOT}/bin/heddle.js`, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  return { child, ended, printed: () => printed };
}

async function serverIn(begun: Begun): Promise<Server> {
  const found = await vi.waitFor(
    () => {
      const [, base, session] = /(http:\/\/[^/]+)\/#token=([\w-]{43})/.exec(begun.printed()) ?? [];
      if (base === undefined || session === undefined) throw new Error(`No address was printed: ${begun.printed()}`);
      return { base, session };
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );
  return { ...begun, ...found, port: Number(new URL(found.base).port) };
}

/** A host whose work the test decides, over HTTP. */
export const fakeHostAt = ({ base }: Server, token: string): FakeHost =>
  fakeHost({
    send: async (message) => {
      const response = await sync(base, token, message);
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      // The program under test wrote it.
      return (await response.json()) as HostMessageReply;
    },
  });

export const sync = (base: string, token: string, body: unknown): Promise<Response> =>
  fetch(`${base}/hosts/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
