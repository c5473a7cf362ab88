// `heddle serve` as a real process, and a host that the test itself is.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished, vi } from 'vitest';
import { claimKey, type Assignment, type ClaimRef } from '../../../src/core/protocol/assignment.ts';
import type { HostMessage, HostMessageReply } from '../../../src/core/protocol/host-message.ts';
import type { Result } from '../../../src/core/protocol/result.ts';
import type { WorkOutcome } from '../../../src/core/protocol/work-outcome.ts';
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
  readonly events: (run?: string) => readonly Event[];
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
    events: (named) =>
      run('events', ...(named === undefined ? [] : [named]))
        .out.trim()
        .split('\n')
        .filter((line) => line !== '')
        // The program under test printed it.
        .map((line) => JSON.parse(line) as Event),
  };
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

/** A host whose work the test decides. */
export interface FakeHost {
  /** Sends a message, and takes what its reply says. */
  readonly speak: (said?: Partial<HostMessage>) => Promise<HostMessageReply>;
  /** Speaks until a reply is what the test waits for. */
  readonly hears: (fits: (reply: HostMessageReply) => boolean) => Promise<HostMessageReply>;
  /** Speaks until the claim of a task comes. */
  readonly awaits: (task: string) => Promise<Assignment>;
  /** The claim ends with the next message. */
  readonly ends: (claim: ClaimRef, outcome?: Partial<WorkOutcome>) => void;
  readonly holds: () => readonly ClaimRef[];
}

const UNKNOWN = { usd: undefined, tokens: undefined };
/** Of work that has changed no file. */
const OK: Result = { ok: true, response: undefined, output: undefined, exitCode: 0, commit: undefined };

let hosts = 0;

export function fakeHost({ base }: Server, token: string, run: string, width = 2): FakeHost {
  hosts += 1;
  const instance = `instance-${hosts}`;
  let number = 0;
  const held = new Map<string, Assignment>();
  let done: WorkOutcome[] = [];
  const speak = async (said: Partial<HostMessage> = {}): Promise<HostMessageReply> => {
    number += 1;
    const sent = done;
    const message = { ...MESSAGE, instance, number, width, runs: [runSaid(run, sent, held)], ...said };
    const reply = await post(base, token, message);
    done = done.filter((outcome) => !sent.includes(outcome));
    for (const each of reply.runs) for (const start of each.reply.start) held.set(claimKey(start.claim), start);
    return reply;
  };
  return {
    speak,
    hears: async (fits) => {
      for (;;) {
        const reply = await speak();
        if (fits(reply)) return reply;
      }
    },
    awaits: async (task) => {
      for (;;) {
        const found = held.values().find(({ claim }) => claim.task === task);
        if (found !== undefined) return found;
        await speak();
      }
    },
    ends: (claim, outcome = {}) => {
      held.delete(claimKey(claim));
      // The parts fit together as the test gives them.
      done = [...done, { type: 'finished', ...claim, spend: UNKNOWN, result: OK, ...outcome } as WorkOutcome];
    },
    holds: () =>
      held
        .values()
        .map(({ claim }) => claim)
        .toArray(),
  };
}

const MESSAGE: HostMessage = {
  protocol: 1,
  version: '0.1.0',
  instance: 'an instance',
  number: 1,
  labels: [],
  agents: undefined,
  width: 2,
  isDraining: false,
  isLeaving: false,
  room: { diskBytes: 1e9, memoryBytes: 1e9 },
  at: 1,
  runs: [],
  tails: [],
};

const runSaid = (
  run: string,
  done: readonly WorkOutcome[],
  held: ReadonlyMap<string, Assignment>,
): HostMessage['runs'][number] => ({
  run,
  done,
  held: held
    .values()
    .map(({ claim }) => ({ claim, spend: UNKNOWN }))
    .toArray(),
  warm: [],
});

async function post(base: string, token: string, message: HostMessage): Promise<HostMessageReply> {
  const response = await call(base, token, message);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  // The program under test wrote it.
  return (await response.json()) as HostMessageReply;
}

const call = (base: string, token: string, body: unknown): Promise<Response> =>
  fetch(`${base}/hosts/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
