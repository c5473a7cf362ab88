// `heddle serve` for a bench: a repository with a plan, a server that merges and runs nothing else, and tokens of hosts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { git } from '../git/sample-project.ts';
import { makeProject, runHeddle, startHeddle, type Ended } from '../run/heddle.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'heddle.js');

export interface Served {
  readonly folder: string;
  readonly pid: number;
  readonly url: URL;
  readonly tokenFor: (name: string) => string;
  /** Runs the plan, which the server coordinates, to its end. */
  readonly run: () => Promise<Ended>;
  readonly close: () => void;
}

export function makeRepository(plan: string): string {
  const folder = makeProject(plan);
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'base');
  return folder;
}

export const runAlone = (plan: string): Promise<Ended> => runHeddle(['run', '--json'], makeRepository(plan));

export async function serve(plan: string): Promise<Served> {
  const folder = makeRepository(plan);
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--listen', '127.0.0.1:0', '--width', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return {
    folder,
    pid: child.pid ?? 0,
    url: await addressOf(child),
    tokenFor: (name) =>
      spawnSync(process.execPath, [PROGRAM, 'token', 'add', name, '--role', 'host'], {
        cwd: folder,
        encoding: 'utf8',
      }).stdout.trim(),
    run: () => startHeddle({ words: ['run', '--json', '--wait', '1h'], cwd: folder }).ended,
    close: () => void child.kill('SIGKILL'),
  };
}

async function addressOf({ stdout }: ChildProcess): Promise<URL> {
  if (stdout === null) throw new Error('The server has no output.');
  for await (const line of createInterface({ input: stdout })) {
    const [found] = /http\S+#token=\S+/.exec(line) ?? [];
    if (found === undefined) continue;
    stdout.resume();
    return new URL('/', found);
  }
  throw new Error('The server has printed no address.');
}

/** A host as a program of its own, with a home of its own. */
export function startHostProgram({ folder, url, tokenFor }: Served, name: string, width: number): ChildProcess {
  const home = join(folder, '.heddle', 'bench', name);
  mkdirSync(home, { recursive: true });
  const tokenFile = join(home, 'token');
  writeFileSync(tokenFile, `${tokenFor(name)}\n`);
  const words = ['host', '--join', url.href, '--token-file', tokenFile, '--home', join(home, 'files')];
  return spawn(process.execPath, [PROGRAM, ...words, '--width', String(width)], { cwd: home, stdio: 'ignore' });
}
