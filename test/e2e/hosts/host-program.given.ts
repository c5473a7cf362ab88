// `heddle host` as a real process, against a server that the test plays.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { Assignment, ClaimRef } from '../../../src/core/protocol/assignment.ts';
import type { HostMessage, HostMessageReply, HostRun } from '../../../src/core/protocol/host-message.ts';
import type { WorkOutcome } from '../../../src/core/protocol/work-outcome.ts';
import { startHostServer, type AskedServer, type HostServer } from '../../../src/shell/link/host-server.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';
import { ROOT } from '../heddle.given.ts';

export const TOKEN = 'h'.repeat(43);

export interface Place {
  readonly root: string;
  readonly home: string;
  readonly file: (name: string) => string;
  readonly tokenFile: string;
}

export function givenPlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-hosts-')));
  const file = (name: string): string => join(root, name);
  const tokenFile = file('token');
  writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));
  return { root, home: file('host'), file, tokenFile };
}

export interface HostProcess {
  readonly child: ChildProcess;
  /** The codes of what it has said so far. */
  readonly codes: () => readonly string[];
  /** The first thing that it says under this code from here on, or has said. */
  readonly says: (code: string) => Promise<Readonly<Record<string, unknown>>>;
  readonly errors: () => string;
  readonly exit: () => Promise<number | null>;
}

type Note = Readonly<Record<string, unknown>>;

export function startHost(place: Place, url: URL, words: readonly string[] = []): HostProcess {
  const given = ['--join', url.href, '--token-file', place.tokenFile, '--home', place.home, '--json', ...words];
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), 'host', ...given], {
    cwd: place.root,
    env: { PATH: process.env['PATH'], HOME: place.root, HEDDLE_TOKEN_FILE: place.tokenFile },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const notes: Note[] = [];
  let errors = '';
  // Every line is a note that the program has written as JSON.
  createInterface({ input: child.stdout }).on('line', (line) => notes.push(JSON.parse(line) as Note));
  child.stderr.on('data', (part: Buffer) => (errors += part.toString('utf8')));
  return {
    child,
    codes: () => notes.map(({ code }) => String(code)),
    says: (code) => until(`it says ${code}`, () => notes.find((note) => note['code'] === code)),
    errors: () => errors,
    exit: async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

export async function until<Value>(what: string, look: () => Value | undefined | false): Promise<Value> {
  for (const end = performance.now() + PATIENCE_MS; ;) {
    const value = look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A server that gives out what it was told to, hears outcomes, and keeps the latest message waiting. */
export interface PlayedServer {
  readonly url: URL;
  readonly port: number;
  readonly offer: (run: string, ...assignments: readonly Assignment[]) => void;
  readonly cancel: (run: string, claim: ClaimRef) => void;
  readonly over: (run: string) => void;
  readonly latest: () => HostMessage | undefined;
  /** Every message so far. */
  readonly messages: () => readonly HostMessage[];
  readonly outcome: (run: string, task: string) => Promise<WorkOutcome>;
  /** How often an outcome was reported anew, after it had been heard. */
  readonly reports: (task: string) => number;
  readonly close: () => Promise<void>;
}

interface Told {
  readonly offers: Map<string, Assignment[]>;
  readonly cancels: Map<string, ClaimRef[]>;
  readonly over: Set<string>;
  readonly heard: Map<string, WorkOutcome>;
}

export async function playServer(port = 0): Promise<PlayedServer> {
  const server = await startHostServer(port);
  const told: Told = { offers: new Map(), cancels: new Map(), over: new Set(), heard: new Map() };
  const messages: HostMessage[] = [];
  const reported: string[] = [];
  let waiting: AskedServer | undefined;
  const answer = (): void => {
    if (waiting === undefined) return;
    const reply = replyTo(waiting.message, told);
    if (reply === undefined) return;
    waiting.answer(reply);
    waiting = undefined;
  };
  const listen = async (): Promise<void> => {
    for (;;) {
      const asked = await server.next();
      waiting?.answer();
      waiting = asked;
      messages.push(asked.message);
      for (const { run, done } of asked.message.runs)
        for (const outcome of done) {
          reported.push(outcome.task);
          told.heard.set(`${run} ${outcome.task}`, outcome);
        }
      answer();
    }
  };
  // It ends with the test, while it waits for a message that does not come any more.
  void listen().catch(() => undefined);
  const close = async (): Promise<void> => {
    await server.close().catch(() => undefined);
  };
  onTestFinished(close);
  return { ...offering(told, answer), ...heardBy(server, { told, messages, reported }), close };
}

function offering(told: Told, answer: () => void): Pick<PlayedServer, 'offer' | 'cancel' | 'over'> {
  return {
    offer: (run, ...assignments) => {
      told.offers.set(run, [...(told.offers.get(run) ?? []), ...assignments]);
      answer();
    },
    cancel: (run, claim) => {
      told.cancels.set(run, [...(told.cancels.get(run) ?? []), claim]);
      answer();
    },
    over: (run) => {
      told.over.add(run);
      told.offers.delete(run);
      answer();
    },
  };
}

interface Heard {
  readonly told: Told;
  readonly messages: readonly HostMessage[];
  readonly reported: readonly string[];
}

const heardBy = (
  { url, port }: HostServer,
  { told, messages, reported }: Heard,
): Pick<PlayedServer, 'url' | 'port' | 'latest' | 'messages' | 'outcome' | 'reports'> => ({
  url,
  port,
  latest: () => messages.at(-1),
  messages: () => messages,
  outcome: (run, task) => until(`${task} of ${run} has ended`, () => told.heard.get(`${run} ${task}`)),
  reports: (task) => reported.filter((each) => each === task).length,
});

/** As a coordinator answers: what is owed and not held, and what was heard. Undefined when there is nothing to say. */
function replyTo(message: HostMessage, told: Told): Partial<HostMessageReply> | undefined {
  const said = new Map(message.runs.map((each) => [each.run, each]));
  const names = new Set([...told.offers.keys(), ...told.cancels.keys(), ...said.keys()]);
  const held = message.runs.reduce((count, each) => count + each.held.length, 0);
  let room = message.isDraining ? 0 : message.width - held;
  const runs = [...names].flatMap((run) => {
    const start = startsFor(run, said.get(run), told).slice(0, Math.max(0, room));
    room -= start.length;
    const cancel = (told.cancels.get(run) ?? []).filter(({ task }) => !told.heard.has(`${run} ${task}`));
    const isNews = start.length + cancel.length + (said.get(run)?.done.length ?? 0) > 0;
    return isNews ? [{ run, reply: { number: message.number, start, cancel } }] : [];
  });
  const over = [...told.over].filter((run) => said.has(run));
  for (const run of over) told.over.delete(run);
  // The first message is answered at once, so that a person sees that the host has joined.
  const isPrompt = message.isLeaving || message.number === 1;
  return runs.length + over.length > 0 || isPrompt ? { runs, over } : undefined;
}

const startsFor = (run: string, said: HostRun | undefined, told: Told): readonly Assignment[] =>
  (told.offers.get(run) ?? []).filter(
    ({ claim: { task } }) =>
      !told.heard.has(`${run} ${task}`) && said?.held.every(({ claim }) => claim.task !== task) !== false,
  );

export const step = (task: string): ClaimRef => ({ work: 'step', task, step: 'main', attempt: 1 });

export const command = (task: string, line: string): Assignment => ({
  claim: step(task),
  work: { type: 'command', command: line, environment: {} },
  limits: { timeoutMs: 600_000, idleTimeoutMs: 600_000 },
  output: undefined,
  sandbox: undefined,
});
