// A cluster whose parts are on machines of their own: an engine, two servers, three hosts, and a bare repository that all reach
// without a network. Each part can be killed with or without its machine, frozen, started again, and cut off.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../../src/shell/engines/postgres-server.given.ts';
import { startRestate } from '../../../src/shell/engines/restate-server.given.ts';
import { openStore } from '../../../src/shell/store/open-store.ts';
import { systemClock } from '../../../src/shell/loop/steady-clock.ts';
import { livingServe } from '../../../src/app/serve-note.ts';
import { heddle, ROOT } from '../heddle.given.ts';
import { until, type Line } from '../world/project.given.ts';
import { openNetwork, type Machine } from './network.given.ts';

export interface Part {
  readonly name: string;
  readonly machine: Machine;
  readonly isUp: () => boolean;
  readonly pid: () => number;
  readonly start: () => Promise<void>;
  /** The process alone: what it has started goes on. */
  readonly kill: () => void;
  /** Everything that runs on its machine. */
  readonly die: () => void;
}

export interface Machines {
  readonly folder: string;
  readonly parts: readonly Part[];
  readonly part: (name: string) => Part;
  readonly engineUrl: string;
  readonly said: (name: string) => string;
  /** Starts a run at a server that is up; its id. */
  readonly begin: (server: number, plan: string) => string;
  /** The log of a run, as the copy of a server has it. */
  readonly log: (server: number, run: string) => readonly Line[];
  /** What is on the run branch of the repository that all share. */
  readonly git: (...words: readonly string[]) => string;
  readonly remove: () => Promise<void>;
}

export type EngineName = 'postgres' | 'restate';

export const SERVERS = 2;
const RESTATE_NODES = 3;
export const ENGINE_LEASE_MS = 5_000;
const SERVER_PORT = 8_321;
/** Where Restate reaches a server. */
const HERE_PORT = 9_080;

export interface HostsWanted {
  readonly count: number;
  readonly leaseMs: number;
}

export async function openMachines(engine: EngineName, wanted: HostsWanted): Promise<Machines> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-machines-')));
  const numbered = (kind: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, at) => `${kind}-${at + 1}`);
  const nodes = numbered('engine', engine === 'restate' ? RESTATE_NODES : 1);
  const [servers, hosts] = [numbered('serve', SERVERS), numbered('host', wanted.count)];
  const network = openNetwork([...nodes, ...servers, ...hosts]);
  const remote = join(folder, 'remote.git');
  makeRemote(folder, remote);
  for (const name of ['logs', 'tokens', ...hosts]) mkdirSync(join(folder, name));
  for (const name of servers) git(folder, 'clone', '--quiet', remote, name);
  makeTokens({ folder, servers, hosts });
  const machines = nodes.map((name) => network.machine(name));
  const running = engine === 'restate' ? await restateParts(machines) : await postgresParts(machines);
  const urls = servers.map((name) => `http://${network.machine(name).address}:${SERVER_PORT}`);
  const parts: readonly Part[] = [
    ...running.parts,
    ...servers.map((name) =>
      serverPart(folder, network.machine(name), { ...wanted, engine, url: running.url, remote }),
    ),
    ...hosts.map((name) => hostPart(folder, network.machine(name), urls)),
  ];
  for (const part of parts.slice(nodes.length)) await part.start();
  const part = (name: string): Part => {
    const found = parts.find((each) => each.name === name);
    if (found === undefined) throw new Error(`There is no ${name}.`);
    return found;
  };
  return {
    folder,
    parts,
    part,
    engineUrl: running.url,
    said: (name) => readFileSync(join(folder, 'logs', name), 'utf8'),
    begin: (server, plan) => {
      const cwd = join(folder, `serve-${server}`);
      const { code, out, errors } = heddle(['run', plan, '--detach'], { cwd, env: { HOME: folder } });
      if (code !== 0) throw new Error(`heddle run ended with ${code}: ${out}${errors}`);
      return out.trim().split('\n').at(-1) ?? '';
    },
    log: (server, run) => logIn(join(folder, `serve-${server}`, '.heddle'), run),
    git: (...words) => git(remote, ...words),
    remove: async () => {
      for (const each of parts) each.die();
      network.remove();
      await running.remove();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function git(cwd: string, ...words: readonly string[]): string {
  return execFileSync('git', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

function makeRemote(folder: string, remote: string): void {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'README.md'), 'Begin.\n');
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'add', '.');
  git(project, '-c', 'user.name=someone', '-c', 'user.email=someone@localhost', 'commit', '-qm', 'start');
  git(folder, 'clone', '--quiet', '--bare', project, remote);
}

interface Naming {
  readonly folder: string;
  readonly servers: readonly string[];
  readonly hosts: readonly string[];
}

function makeTokens({ folder, servers, hosts }: Naming): void {
  const [first = '', ...others] = servers.map((name) => join(folder, name));
  for (const name of hosts) {
    const { out } = heddle(['token', 'add', name, '--role', 'host'], { cwd: first });
    writeFileSync(join(folder, 'tokens', name), out);
  }
  for (const other of others) {
    mkdirSync(join(other, '.heddle'), { recursive: true });
    copyFileSync(join(first, '.heddle', 'tokens.json'), join(other, '.heddle', 'tokens.json'));
  }
}

interface Engine {
  readonly parts: readonly Part[];
  readonly url: string;
  readonly remove: () => Promise<void>;
}

async function postgresParts([machine]: readonly Machine[]): Promise<Engine> {
  if (machine === undefined) throw new Error('PostgreSQL needs a machine.');
  const server = await startPostgres(machine);
  const die = (): void => endAll(machine);
  const isUp = (): boolean => machine.pids().length > 0;
  const start = async (): Promise<void> => server.start();
  const part = { name: machine.name, machine, isUp, pid: () => machine.pids()[0] ?? 0, start, kill: die, die };
  return { parts: [part], url: server.url, remove: async () => server.remove() };
}

async function restateParts(machines: readonly Machine[]): Promise<Engine> {
  const cluster = await startRestate(machines.length, machines);
  const parts = machines.map((machine, node): Part => {
    const die = (): void => endAll(machine);
    return {
      name: machine.name,
      machine,
      isUp: () => machine.pids().length > 0,
      pid: () => machine.pids()[0] ?? 0,
      start: () => cluster.start(node),
      kill: die,
      die,
    };
  });
  return { parts, url: cluster.url(), remove: () => cluster.remove() };
}

/** What a program starts in that moment is found by the next look. */
function endAll(machine: Machine): void {
  for (let pids = machine.pids(); pids.length > 0; pids = machine.pids()) for (const pid of pids) killOne(pid);
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

interface ServerOptions {
  readonly engine: EngineName;
  readonly url: string;
  readonly remote: string;
  /** Of hosts. */
  readonly leaseMs: number;
}

function serverPart(folder: string, machine: Machine, { engine, url, remote, leaseMs }: ServerOptions): Part {
  const file = join(folder, `${machine.name}.engine`);
  writeFileSync(file, `${url}${engine === 'restate' ? `&here=http://${machine.address}:${HERE_PORT}` : ''}\n`);
  const listening = ['--listen', `${machine.address}:${SERVER_PORT}`, '--insecure', '--lease', `${leaseMs / 1_000}s`];
  const ofEngine = ['--engine-file', file, '--engine-lease', `${ENGINE_LEASE_MS / 1_000}s`, '--remote', remote];
  const cwd = join(folder, machine.name);
  const part = programPart({ folder, machine, cwd, words: ['serve', ...listening, ...ofEngine] });
  const isReady = (): boolean => livingServe({ home: join(cwd, '.heddle') })?.pid === part.pid();
  const start = async (): Promise<void> => {
    await part.start();
    await until(isReady);
  };
  return { ...part, start };
}

function hostPart(folder: string, machine: Machine, urls: readonly string[]): Part {
  const own = join(folder, machine.name);
  const joining = ['--join', urls.join(','), '--insecure', '--token-file', join(folder, 'tokens', machine.name)];
  return programPart({
    folder,
    machine,
    cwd: own,
    words: ['host', ...joining, '--home', join(own, 'home'), '--width', '3'],
  });
}

interface Program {
  readonly folder: string;
  readonly machine: Machine;
  readonly cwd: string;
  readonly words: readonly string[];
}

function programPart({ folder, machine, cwd, words }: Program): Part {
  let child: ChildProcess | undefined;
  const isUp = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  const start = (): Promise<void> => {
    const output = openSync(join(folder, 'logs', machine.name), 'a');
    const [first = '', ...rest] = machine.words([process.execPath, join(ROOT, 'bin', 'heddle.js'), ...words]);
    child = spawn(first, rest, {
      cwd,
      env: { PATH: process.env['PATH'], HOME: folder },
      stdio: ['ignore', output, output],
      // As a service is: what it starts outlives it only by being meant to.
      detached: true,
    });
    return Promise.resolve();
  };
  return {
    name: machine.name,
    machine,
    isUp,
    pid: () => child?.pid ?? 0,
    start,
    kill: () => killOne(child?.pid ?? 0),
    die: () => endAll(machine),
  };
}

/** From the store itself: a program for each look would keep the machine busy. */
function logIn(home: string, run: string): readonly Line[] {
  const opened = openStore(home, { mode: 'read', clock: systemClock });
  if (opened.type === 'failed') return [];
  try {
    // The program under test wrote it.
    return opened.store.textsFrom(run, 0).texts.map(({ json }) => JSON.parse(json) as Line);
  } finally {
    opened.store.close();
  }
}
