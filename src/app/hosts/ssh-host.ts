// A host on a machine that only SSH reaches: this machine reaches both the server and that one, and carries between them.
//
// ssh-host/X1. Nothing listens there but sshd. A reverse forward of it leads to a relay on the loopback of this machine.
// ssh-host/X2. The token goes over standard input: it is in no argument and in no file on either side.
// ssh-host/X3. When the connection breaks the host there abandons its claims to the next program, which a new connection starts.
import { randomInt } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { startPiped, type PipedProcess } from '../../shell/exec/piped-process.ts';
import { openRelay, type Relay } from '../../shell/link/relay.ts';
import { CLOCK } from '../local-parts.ts';
import { Refused } from '../refused.ts';
import { homeName } from './host-home.ts';
import type { HostNote } from './host-note.ts';
import { STEERED_BEAT_MS } from './steered-input.ts';

export interface SshHostOptions {
  readonly url: URL;
  readonly token: string;
  readonly authorities: readonly string[] | undefined;
  /** As ssh takes it: `user@machine`, or a name of its settings. */
  readonly machine: string;
  /** Options of ssh besides, as in its settings: `Port=2222`. */
  readonly options: readonly string[];
  /** The command line of Heddle there. */
  readonly program: readonly string[];
  /** The options of the host there, besides those that say how it reaches the server. */
  readonly flags: readonly string[];
  readonly onLine: (line: string) => void;
  /** What the host there has printed as its error. */
  readonly onError: (text: string) => void;
  readonly onNote: (note: HostNote) => void;
}

export interface SshHost {
  readonly drain: () => void;
  readonly end: () => void;
  /** The exit code of the host there; rejects with `Refused` when there can be none. */
  readonly ended: Promise<number>;
}

interface SshState extends SshHostOptions {
  readonly relay: Relay;
  readonly closing: AbortController;
  current: PipedProcess | undefined;
  word: 'drain' | 'end' | undefined;
  /** Whether a host there has spoken. */
  hasRun: boolean;
  lostAt: number | undefined;
  tries: number;
}

/** A connection for longer is made anew. */
const CONNECTION_MS = 20 * 24 * 3_600_000;
/** Below those that systems give to outgoing connections. */
const PORTS = [20_000, 32_000] as const;
/** A port may be taken there, which ssh does not tell from any other failure. */
const FIRST_TRIES_MAX = 3;
const RETRY_FIRST_MS = 1_000;
const RETRY_LONGEST_MS = 30_000;
/** What an earlier host there still holds, its folder and its name, is free again after this. */
const TAKEN_WITHIN_MS = 120_000;
/** ssh itself has failed. */
const SSH_FAILED = 255;
const NOT_FOUND = 127;
const REFUSED = 2;
/** Nobody is there to type a password, and a broken connection has to be noticed. */
const SETTINGS: readonly string[] = [
  'BatchMode=yes',
  'ConnectTimeout=20',
  'ControlPath=none',
  'ExitOnForwardFailure=yes',
  'ServerAliveInterval=15',
  'ServerAliveCountMax=3',
];

export async function startSshHost(request: SshHostOptions): Promise<SshHost> {
  const relay = await openRelay(request);
  const closing = new AbortController();
  const state: SshState = {
    ...request,
    relay,
    closing,
    current: undefined,
    word: undefined,
    hasRun: false,
    lostAt: undefined,
    tries: 0,
  };
  const beat = setInterval(() => state.current?.stdin.write('\n'), STEERED_BEAT_MS);
  const ended = run(state).finally(() => {
    clearInterval(beat);
    relay.close();
  });
  return { drain: () => say(state, 'drain'), end: () => say(state, 'end'), ended };
}

function say(state: SshState, word: 'drain' | 'end'): void {
  state.word = word;
  state.current?.stdin.write(`${word}\n`);
}

async function run(state: SshState): Promise<number> {
  for (;;) {
    state.tries += 1;
    const code = await connectOnce(state);
    if (code !== undefined) return code;
    // Nobody is there who could be told to leave; a claim that goes on there is found by the next host.
    if (state.word !== undefined) return 0;
    await setTimeout(Math.min(RETRY_FIRST_MS * 2 ** Math.min(state.tries, 5), RETRY_LONGEST_MS));
  }
}

/** The exit code of the host there; undefined when it is worth another try. */
async function connectOnce(state: SshState): Promise<number | undefined> {
  const ssh = startPiped(commandLine(state), {
    cwd: process.cwd(),
    environment: process.env,
    timeoutMs: CONNECTION_MS,
    signal: state.closing.signal,
  });
  state.current = ssh;
  ssh.stdin.write(`${state.token}\n`);
  createInterface({ input: ssh.stdout }).on('line', (line) => {
    state.hasRun = true;
    state.lostAt = undefined;
    state.tries = 0;
    state.onLine(line);
  });
  const end = await ssh.ended;
  state.current = undefined;
  const stderr = ssh.stderr().trim();
  if (end.type === 'unstarted') throw new Refused({ code: 'ssh-missing' });
  return judge(state, end.type === 'exited' ? end.code : SSH_FAILED, stderr);
}

function judge(state: SshState, code: number, stderr: string): number | undefined {
  const { machine, program, hasRun } = state;
  if (code === NOT_FOUND) throw new Refused({ code: 'ssh-no-heddle', machine, program: program.join(' ') });
  if (code === SSH_FAILED && !hasRun && state.tries < FIRST_TRIES_MAX) return undefined;
  if (code === SSH_FAILED && !hasRun) throw new Refused({ code: 'ssh-failed', machine, stderr });
  const now = CLOCK.monotonic();
  if (code === SSH_FAILED) {
    if (state.lostAt === undefined) state.onNote({ code: 'ssh-lost', machine, stderr });
    state.lostAt ??= now;
    return undefined;
  }
  const isTaken = state.lostAt !== undefined && now - state.lostAt < TAKEN_WITHIN_MS;
  if (code === REFUSED && isTaken) return undefined;
  if (stderr !== '') state.onError(stderr);
  return code;
}

function commandLine({ url, token, machine, options, program, flags, relay }: SshState): readonly string[] {
  const port = randomInt(...PORTS);
  const home = `.heddle-host/${homeName({ url, token })}`;
  const join = `http://127.0.0.1:${port}${url.pathname}`;
  const host = ['host', '--join', join, '--token-file', '-', '--steered', '--json', '--home', home, ...flags];
  return [
    'ssh',
    '-T',
    ...[...SETTINGS, ...options].flatMap((option) => ['-o', option]),
    '-R',
    `127.0.0.1:${port}:127.0.0.1:${relay.port}`,
    '--',
    machine,
    [...program, ...host].map(quoted).join(' '),
  ];
}

/** One word for the shell there. */
const quoted = (word: string): string => (/^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
