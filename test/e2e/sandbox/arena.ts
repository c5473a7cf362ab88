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
import { cwdOf, processesAtWorkOn } from '../../../src/shell/git/run/git-processes.ts';
import { openRepository, type Repository } from '../../../src/shell/git/repository.ts';
import { openSandboxes, type Sandboxes } from '../../../src/shell/sandbox/sandboxes.ts';
import { mountsBelow } from '../first/left-over.given.ts';
import { NO_ISOLATION, PLAIN, wayOf, type Way } from './ways.given.ts';

export interface Round {
  readonly way: Way;
  readonly seed: number;
  /** Whether the programs that it started die with it. */
  readonly killsGroup: boolean;
  /** Whether all sandboxes are ended afterwards and everything is looked at; else the next round goes on with them. */
  readonly isLast: boolean;
}

export interface Verdict {
  readonly round: Round;
  readonly facts: number;
  /** What went wrong, a sentence each. */
  readonly wrong: readonly string[];
}

const ACTIONS = join(import.meta.dirname, 'sandbox-actions.given.ts');
const READY_WITHIN_MS = 60_000;
const DONE_WITHIN_MS = 60_000;
const KILLED_WITHIN_MS = 900;

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
    // Objects may come and none may go: those of the start are looked at by fsck.
    this.#before = this.#digest();
  }

  readonly #told: string[] = [];

  async play(round: Round): Promise<Verdict> {
    const facts = join(this.root, `facts-${round.seed}`);
    await this.#killOnce(round, facts);
    const told = readFileSync(facts, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    rmSync(facts);
    this.#told.push(...told);
    const broke = told.filter((line) => line.startsWith('broke'));
    return { round, facts: told.length, wrong: [...broke, ...(await this.#judge(round))] };
  }

  async #killOnce({ way, seed, killsGroup }: Round, facts: string): Promise<void> {
    writeFileSync(facts, '');
    const child = spawn(process.execPath, [ACTIONS, this.folder, this.home, way, facts, String(seed)], {
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(this.root, 'compiled') },
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // Now and then it is killed before it is ready, while it repairs what the one before left.
    const waits = seed % 8 === 0 ? 0 : READY_WITHIN_MS;
    const until = performance.now() + waits;
    while (readFileSync(facts, 'utf8') === '' && child.exitCode === null && performance.now() < until)
      await setTimeout(5);
    const [first = 0, second = 0] = createHash('sha256').update(String(seed)).digest();
    await setTimeout(((first * 256 + second) / 65_536) * KILLED_WITHIN_MS);
    if (child.pid !== undefined && child.exitCode === null)
      process.kill(killsGroup ? -child.pid : child.pid, 'SIGKILL');
    await ended;
  }

  async #judge({ way, isLast }: Round): Promise<readonly string[]> {
    // A program that outlived its starter may still be running, and its files are not leftovers.
    await this.#untilAllIsDone();
    const { repository, sandboxes } = await this.open(way);
    const kept = await sandboxes.recover({ isWanted: () => true });
    const ended = isLast ? await sandboxes.recover({ isWanted: () => false }) : { repairs: [] };
    const trouble = [...kept.repairs, ...ended.repairs].flatMap((repair) =>
      repair.code === 'kept-unsaved' || repair.code === 'kept-unknown' ? [JSON.stringify(repair)] : [],
    );
    if (!isLast) return [...trouble, ...this.#leftAside()];
    const told = this.#told.splice(0);
    return [
      ...trouble,
      ...(await this.#lost(repository, told)),
      ...(await this.#merged(repository, told)),
      ...this.#left(),
      ...this.#leftAside(),
      ...this.#spoilt(repository),
    ];
  }

  async #untilAllIsDone(): Promise<void> {
    const until = performance.now() + DONE_WITHIN_MS;
    const isAtWork = (): boolean => processesAtWorkOn(this.root).length > 0 || hasProcessesIn(this.root);
    while (isAtWork() && performance.now() < until) await setTimeout(20);
  }

  /** What was merged is on the run branch, and once. */
  async #merged(repository: Repository, told: readonly string[]): Promise<readonly string[]> {
    const branch = await repository.read('refs/heads/heddle/r');
    if (branch === undefined) return told.some((line) => line.startsWith('merged')) ? ['all merges are lost'] : [];
    const merges = git(repository.gitDir, 'log', '--first-parent', '--format=%P', branch)
      .split('\n')
      .flatMap((line) => line.split(' ').slice(1));
    const lost = told
      .filter((line) => line.startsWith('merged') && !merges.includes(line.slice('merged '.length)))
      .map((line) => `lost: ${line}`);
    const twice = merges.filter((tip, index) => merges.indexOf(tip) !== index).map((tip) => `merged twice: ${tip}`);
    return [...lost, ...twice];
  }

  async open(way: Way): Promise<{ readonly repository: Repository; readonly sandboxes: Sandboxes }> {
    const opened = await openRepository({ home: this.home, project: this.folder, repairs: true });
    if (opened.type === 'refused') throw new Error(opened.failure.code);
    const { settings, probe } = wayOf(way);
    const options = { home: this.home, isolation: NO_ISOLATION, network: 'none', agent: undefined, probe } as const;
    const { repository } = opened;
    const made = await openSandboxes({ ...options, repository, settings: { ...PLAIN, ...settings } });
    if (made.type === 'refused') throw new Error(made.failure.code);
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
    return [...names, ...mountsBelow(this.root)].map((name) => `left: ${name}`);
  }

  /** Half-built and half-removed things, and locks, which no process may leave. */
  #leftAside(): readonly string[] {
    const asides = ['templates', 'layers', 'parked', 'trash', 'scratch'].flatMap((folder) =>
      namesIn(join(this.home, folder)).filter((name) => name.startsWith('aside-')),
    );
    const locks = [join(this.home, 'repo.git'), join(this.folder, '.git')].flatMap(lockFiles);
    return [...asides, ...locks].map((name) => `left: ${name}`);
  }

  #spoilt(repository: Repository): readonly string[] {
    const isSame = this.#digest() === this.#before;
    return [
      ...(isSame ? [] : ['the user’s repository has changed']),
      ...fsck(repository.gitDir),
      ...fsck(join(this.folder, '.git')),
    ];
  }

  /** Of everything in the user's repository and checkout but what is ours. */
  #digest(): string {
    const hash = createHash('sha256');
    for (const name of readdirSync(this.folder, { recursive: true, withFileTypes: true })) {
      const path = join(name.parentPath, name.name);
      if (path.startsWith(this.home) || OURS.test(path) || !name.isFile()) continue;
      hash.update(path).update(readFileSync(path));
    }
    return hash.digest('hex');
  }

  async close(): Promise<void> {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** What a run may add to the user's repository: refs of its own, and the branch that it is shown as, with its objects. */
const OURS = /\/\.git\/(?:refs\/heddle|(?:logs\/)?refs\/heads\/heddle|objects)\//;

function fsck(gitDir: string): readonly string[] {
  try {
    const said = git(gitDir, 'fsck', '--connectivity-only', '--no-dangling');
    return said === '' ? [] : [`fsck: ${said}`];
  } catch (cause) {
    return [`fsck: ${String(cause)}`];
  }
}

/** Programs that stand in a folder or below, of whatever kind: a shell may be about to start another git. */
const hasProcessesIn = (folder: string): boolean =>
  process.platform === 'linux' &&
  readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && `${cwdOf(pid)}/`.startsWith(`${folder}/`));

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

const lockFiles = (gitDir: string): readonly string[] =>
  readdirSync(gitDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'));
