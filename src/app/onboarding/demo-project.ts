// The demo: the files of `examples/demo` in a new folder, as a git repository with one commit, and the results of its run.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { captureNow } from '../../shell/exec/capture-now.ts';
import { chooseRun, openProject } from '../open-project.ts';
import { foldRun } from '../fold-run.ts';
import { findProgram, mustHaveGit } from '../git/git-here.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import { Refused } from '../refused.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import type { State } from '../../core/engine/state.ts';
import { claimSpans } from '../../core/view/report/claim-spans.ts';
import { timesSummary } from '../../core/view/report/times.ts';

export interface DemoProject {
  readonly folder: string;
  /** How many files it begins with. */
  readonly files: number;
}

/** In the named folder, or in a temporary one. Refused before anything is made where git is missing or too old. */
export function makeDemoProject(named: string | undefined): DemoProject {
  mustHaveGit();
  const folder = named === undefined ? mkdtempSync(join(realpathSync(tmpdir()), 'heddle-demo-')) : emptyFolder(named);
  cpSync(join(PACKAGE_ROOT, 'examples', 'demo'), folder, { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main', '--template=');
  git(folder, 'add', '--all');
  git(folder, ...AS_US, 'commit', '--quiet', '--message', 'A loom, with one thread');
  return { folder, files: git(folder, 'ls-files').trim().split('\n').length };
}

/** One by one: Node itself tries for ever where the system denies a folder that exists, as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

function emptyFolder(named: string): string {
  const folder = resolve(named);
  try {
    makeFolder(folder);
    if (readdirSync(folder).length === 0) return realpathSync(folder);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Refused({ code: 'folder-unusable', folder, message }, { cause });
  }
  throw new Refused({ code: 'folder-not-empty', folder });
}

/** The demo works without a git identity, and beside commit signing and global hooks. */
const AS_US = [
  ['user.name', 'Heddle'],
  ['user.email', 'heddle@localhost'],
  ['commit.gpgSign', 'false'],
  ['core.hooksPath', '/dev/null'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** The output of git in a folder, regardless of a repository named by the environment. */
function git(folder: string, ...words: readonly string[]): string {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const options = { cwd: folder, environment: Object.fromEntries(environment) };
  const { code, stdout, stderr, error } = captureNow(['git', ...words], options);
  if (code !== 0) throw new Error(`git ${words.join(' ')} failed: ${error ?? stderr}`);
  return stdout;
}

/** Makes the demo's folder the current one. Its checks are run by Node, which may not be on the PATH. */
export function enterDemoProject({ folder }: DemoProject): void {
  process.chdir(folder);
  const { PATH: path = '' } = process.env;
  if (findProgram('node', path) === undefined)
    process.env['PATH'] = [path, dirname(process.execPath)].filter((part) => part !== '').join(delimiter);
}

/** The results of a demo run, with evidence from git itself. */
export interface ShownRun {
  readonly run: string;
  readonly figures: Figures;
  readonly branch: string;
  /** Commits on the branch since the start. */
  readonly commits: number;
  /** How the tasks were merged. */
  readonly log: GitOutput;
  /** The file that the last task made. */
  readonly cloth: GitOutput;
}

interface GitOutput {
  readonly command: string;
  readonly output: string;
}

/** Of the latest run in the current folder. */
export function readShownRun({ colour }: { readonly colour: boolean }): ShownRun {
  const { store } = openProject('read');
  const { record, state, events } = foldRun(store, chooseRun(store, undefined));
  store.close();
  const branch = `heddle/${record.run}`;
  const outputOf = (words: readonly string[], ...unseen: readonly string[]): GitOutput => ({
    command: words.join(' '),
    output: git('.', ...words, ...unseen).trimEnd(),
  });
  return {
    run: record.run,
    figures: figuresOf(state, events),
    branch,
    commits: Number(git('.', 'rev-list', '--count', `main..${branch}`)),
    log: outputOf(
      ['log', '--oneline', '--first-parent', branch],
      '--no-decorate',
      colour ? '--color=always' : '--color=never',
    ),
    cloth: outputOf(['show', `${branch}:cloth.txt`]),
  };
}

export function removeDemoProject({ folder }: DemoProject): void {
  process.chdir('/');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Of a run, from its log. */
export interface Figures {
  readonly tasks: number;
  readonly tasksDone: number;
  /** From the start of the run to its end. */
  readonly tookMs: number;
  /** The sequential time, and its ratio to the real time, as in `heddle report`. */
  readonly serialMs: number;
  readonly speedUp: number;
  /** The most tasks that ran at the same time. */
  readonly peak: number;
  readonly checksFailed: readonly FailedCheck[];
  readonly conflicts: readonly ResolvedConflict[];
  readonly usdSpent: number;
  readonly usdCeiling: number | undefined;
}

interface FailedCheck {
  readonly task: string;
  /** The first line of the check's output. */
  readonly said: string;
}

interface ResolvedConflict {
  readonly task: string;
  readonly with: readonly string[];
  readonly paths: readonly string[];
}

export function figuresOf(state: State, events: readonly RunEvent[]): Figures {
  const { compiled, run } = state;
  const tookMs = (run.endedAt ?? run.now) - run.startedAt;
  const spans = claimSpans(compiled, events);
  const { times } = timesSummary({ compiled, spans, pauses: [], questions: [], nowMs: tookMs });
  const ended = state.tasks.filter((task) => task.ended !== undefined);
  const { spent, ceiling } = state.ledger.run;
  return {
    tasks: state.tasks.length,
    tasksDone: ended.filter((task) => task.ended?.ending === 'done').length,
    tookMs,
    serialMs: times.workMs,
    speedUp: times.speedUp,
    peak: times.peak,
    checksFailed: events.flatMap((event) =>
      event.type === 'claim.ended' && event.work === 'check' && event.redo !== undefined
        ? [{ task: event.task, said: firstLine(event.says ?? '') }]
        : [],
    ),
    conflicts: events.flatMap((event) =>
      (event.type === 'claim.ended' || event.type === 'claim.asked') && event.conflict !== undefined
        ? [{ task: event.task, with: event.conflict.with, paths: event.conflict.paths }]
        : [],
    ),
    usdSpent: spent.usd,
    usdCeiling: ceiling.usd,
  };
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';
