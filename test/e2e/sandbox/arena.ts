// Kills processes that work on sandboxes, at random moments, and looks what is left: everything that was told must be
// there, and nothing else.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openRepository, type Repository } from '../../../src/shell/git/repository.ts';
import { openSandboxes, type Sandboxes } from '../../../src/shell/sandbox/sandboxes.ts';
import { mountsUnder, unmountAll } from '../../../src/shell/sandbox/world/mounts.ts';
import { NO_ISOLATION, PLAIN, wayOf, type Way } from './ways.given.ts';

export interface Round {
  readonly way: Way;
  readonly seed: number;
  /** Whether the programs that it started die with it. */
  readonly killsGroup: boolean;
}

export interface Verdict {
  readonly round: Round;
  readonly facts: number;
  /** What went wrong, a sentence each. */
  readonly wrong: readonly string[];
}

const DEEDS = join(import.meta.dirname, 'deeds.given.ts');
const READY_WITHIN_MS = 60_000;
const KILLED_WITHIN_MS = 1_500;

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
    maxBuffer: 1e8,
  }).trim();

/** A project whose sandboxes are killed again and again; each round goes on with what the one before left. */
export class Arena {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-kill-sandbox-')));
  readonly folder = join(this.root, 'project');
  readonly home = join(this.folder, '.heddle');
  readonly #before: string;

  constructor() {
    mkdirSync(join(this.folder, 'src'), { recursive: true });
    git(this.folder, 'init', '-q', '-b', 'main');
    for (let index = 0; index < 200; index += 1) writeFileSync(join(this.folder, 'src', `f${index}`), `${index}\n`);
    writeFileSync(join(this.folder, 'README.md'), 'one\n');
    writeFileSync(join(this.folder, '.git', 'info', 'exclude'), '/.heddle/\n');
    git(this.folder, 'add', '-A');
    git(this.folder, 'commit', '-qm', 'base');
    this.#before = this.#digest();
  }

  async play(round: Round): Promise<Verdict> {
    const facts = join(this.root, `facts-${round.seed}`);
    await this.#killOnce(round, facts);
    const told = readFileSync(facts, 'utf8').split('\n');
    const wrong = told.filter((line) => line.startsWith('broke'));
    return { round, facts: told.length, wrong: [...wrong, ...(await this.#judge(round, told))] };
  }

  async #killOnce({ way, seed, killsGroup }: Round, facts: string): Promise<void> {
    writeFileSync(facts, '');
    const child = spawn(process.execPath, [DEEDS, this.folder, this.home, way, facts, String(seed)], {
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const until = performance.now() + READY_WITHIN_MS;
    while (readFileSync(facts, 'utf8') === '' && child.exitCode === null && performance.now() < until)
      await setTimeout(5);
    const [first = 0, second = 0] = createHash('sha256').update(String(seed)).digest();
    await setTimeout(((first * 256 + second) / 65_536) * KILLED_WITHIN_MS);
    if (child.pid !== undefined && child.exitCode === null)
      process.kill(killsGroup ? -child.pid : child.pid, 'SIGKILL');
    await ended;
  }

  async #judge({ way }: Round, told: readonly string[]): Promise<readonly string[]> {
    const { repository, sandboxes } = await this.open(way);
    const kept = await sandboxes.recover({ isWanted: () => true });
    const ended = await sandboxes.recover({ isWanted: () => false });
    const trouble = [...kept.says, ...ended.says].filter((line) => line.includes('kept') || line.includes('mounted'));
    return [...trouble, ...(await this.#lost(repository, told)), ...this.#left(), ...this.#spoilt(repository)];
  }

  async open(way: Way): Promise<{ readonly repository: Repository; readonly sandboxes: Sandboxes }> {
    const opened = await openRepository({ home: this.home, project: this.folder, mends: true });
    if (opened.type === 'refused') throw new Error(opened.message);
    const { settings, probe } = wayOf(way);
    const order = { home: this.home, isolation: NO_ISOLATION, network: 'none', probe } as const;
    const { repository } = opened;
    const made = await openSandboxes({ ...order, repository, settings: { ...PLAIN, ...settings } });
    if (made.type === 'refused') throw new Error(made.message);
    return { repository, sandboxes: made.sandboxes };
  }

  /** Commits and files that were told and that no ref has. */
  async #lost(repository: Repository, told: readonly string[]): Promise<readonly string[]> {
    const refs = (await repository.list('refs/heddle/r')).map(({ commit }) => commit);
    if (refs.length === 0) return told.some((line) => line.startsWith('wrote')) ? ['everything is lost'] : [];
    const commits = new Set(git(repository.gitDir, 'rev-list', ...refs).split('\n'));
    const files = new Set(git(repository.gitDir, 'log', '--format=', '--name-only', ...refs).split('\n'));
    return told.flatMap((line) => {
      const [fact = '', what = ''] = line.split(' ');
      const isThere = fact === 'committed' ? commits.has(what) : fact === 'wrote' ? files.has(what) : true;
      return isThere ? [] : [`lost: ${line}`];
    });
  }

  #left(): readonly string[] {
    const folders = ['sandboxes', 'candidates', 'scratch', 'trash', 'ports', 'kept'];
    const names = folders.flatMap((folder) => namesIn(join(this.home, folder)).map((name) => `${folder}/${name}`));
    const asides = ['templates', 'layers', 'parked'].flatMap((folder) =>
      namesIn(join(this.home, folder)).filter((name) => name.startsWith('aside-')),
    );
    return [...names, ...asides, ...mountsUnder(this.root)].map((name) => `left: ${name}`);
  }

  #spoilt(repository: Repository): readonly string[] {
    const locks = git(repository.gitDir, 'count-objects') === '' ? [] : lockFiles(repository.gitDir);
    const isSame = this.#digest() === this.#before;
    let said = '';
    try {
      said = git(repository.gitDir, 'fsck', '--connectivity-only', '--no-dangling');
    } catch (cause) {
      said = String(cause);
    }
    return [
      ...locks.map((lock) => `left: ${lock}`),
      ...(isSame ? [] : ['the user’s repository has changed']),
      ...(said === '' ? [] : [`fsck: ${said}`]),
    ];
  }

  /** Of everything in the user's repository and checkout but what is ours. */
  #digest(): string {
    const hash = createHash('sha256');
    for (const name of readdirSync(this.folder, { recursive: true, withFileTypes: true })) {
      const path = join(name.parentPath, name.name);
      if (path.startsWith(this.home) || path.includes('/.git/refs/heddle') || !name.isFile()) continue;
      hash.update(path).update(readFileSync(path));
    }
    return hash.digest('hex');
  }

  async close(): Promise<void> {
    await unmountAll(this.root);
    if (mountsUnder(this.root).length === 0) rmSync(this.root, { recursive: true, force: true });
  }
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

const lockFiles = (gitDir: string): readonly string[] =>
  readdirSync(gitDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'));
