// A trial cluster of real processes, a plan for it, and what becomes of a run in it.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readClusterBook, type ClusterPart, type TrialEngine } from '../../../src/app/cluster/cluster-book.ts';
import { isAlive } from '../../../src/shell/exec/process.ts';
import { heddle, ROOT } from '../heddle.given.ts';
import { until } from '../world/project.given.ts';

/** Each step writes a line when it begins, outside of every sandbox. */
const planFor = (measured: string): string => `heddle: 1
name: world
max_parallel: 4
attempts: 3
sandbox: { isolation: none }
tasks:
  a: { run: "echo a >> ${measured}; sleep 1; echo a > a.txt" }
  b: { run: "echo b >> ${measured}; sleep 8; echo b > b.txt" }
  c: { needs: [a], run: "echo c >> ${measured}; sleep 4; echo c > c.txt" }
  d: { needs: [b, c], run: "echo d >> ${measured}; cat a.txt b.txt c.txt > d.txt" }
`;

export interface Trial {
  readonly home: string;
  readonly up: () => void;
  readonly down: () => string;
  readonly part: (name: string) => ClusterPart;
  readonly parts: () => readonly ClusterPart[];
  /** What a server or a host has said. */
  readonly said: (name: string) => string;
  /** Calls the program in the clone of a server. */
  readonly at: (server: number, ...words: readonly string[]) => string;
  /** Starts a run at the first server; its id. */
  readonly begin: () => Promise<string>;
  readonly isEnded: (server: number, run: string) => boolean;
  /** The steps that began since the latest run was started. */
  readonly begun: () => readonly string[];
  /** What is on the run branch of the repository that all share: subjects and the content of the last file. */
  readonly landed: (run: string) => { readonly merges: number; readonly content: string };
  readonly end: () => void;
}

export function givenTrial(engine: TrialEngine): Trial {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-trial-')));
  const home = join(folder, 'trial');
  const project = join(folder, 'project');
  const measured = join(folder, 'measured');
  mkdirSync(project);
  writeFileSync(join(project, 'plan.yaml'), planFor(measured));
  const git = (cwd: string, ...words: readonly string[]): string =>
    execFileSync('git', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'add', '.');
  git(project, '-c', 'user.name=someone', '-c', 'user.email=someone@localhost', 'commit', '-qm', 'start');
  if (engine === 'restate') {
    mkdirSync(join(home, 'restate-server'), { recursive: true });
    symlinkSync(join(ROOT, 'tools', 'engines', 'node_modules'), join(home, 'restate-server', 'node_modules'));
  }
  const call = (cwd: string, words: readonly string[]): string => {
    const { code, out, errors } = heddle(words, { cwd, env: { HOME: folder } });
    if (code !== 0) throw new Error(`heddle ${words.join(' ')} ended with ${code}: ${out}${errors}`);
    return out;
  };
  const parts = (): readonly ClusterPart[] => readClusterBook(home)?.parts ?? [];
  const at = (server: number, ...words: readonly string[]): string => call(join(home, `serve-${server}`), words);
  const down = (): string => call(project, ['cluster', 'down', '--home', home]);
  const status = (server: number, run: string): unknown => JSON.parse(at(server, 'status', run, '--json'));
  return {
    home,
    up: () => void call(project, ['cluster', 'up', '--home', home, '--hosts', '2', '--engine', engine]),
    down,
    parts,
    part: (name) => {
      const found = parts().find((part) => part.name === name);
      if (found === undefined) throw new Error(`There is no ${name}.`);
      return found;
    },
    said: (name) => readFileSync(join(home, 'logs', `${name}.log`), 'utf8'),
    at,
    begin: async () => {
      writeFileSync(measured, '');
      const run = at(1, 'run', 'plan.yaml', '--detach').trim().split('\n').at(-1) ?? '';
      await until(() => readFileSync(measured, 'utf8').includes('b\n'));
      return run;
    },
    isEnded: (server, run) => {
      const shown = status(server, run);
      return typeof shown === 'object' && shown !== null && 'stage' in shown && shown.stage === 'ended';
    },
    begun: () => readFileSync(measured, 'utf8').trim().split('\n').toSorted(),
    landed: (run) => {
      const branch = `refs/heads/heddle/${run}`;
      const remote = join(home, 'remote.git');
      return {
        merges: Number(git(remote, 'rev-list', '--count', '--first-parent', `main..${branch}`)),
        content: git(remote, 'show', `${branch}:d.txt`),
      };
    },
    end: () => {
      if (parts().some(isAlive)) down();
      const ofRoot = join(home, 'postgres-folder');
      if (existsSync(ofRoot)) rmSync(readFileSync(ofRoot, 'utf8'), { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
