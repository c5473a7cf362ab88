import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { EXIT, type ExitCode, Failure } from '../terminal/exit-code.ts';
import { callingOf, quoted, type Calling } from '../../app/onboarding/calling.ts';
import { git, makeDemoProject, type DemoProject } from '../../app/onboarding/demo-project.ts';
import { figuresOf } from '../../app/onboarding/figures.ts';
import { nextSteps, opening, summary, type Shown } from '../text/narration.ts';
import { findProgram } from '../../app/git/find-program.ts';
import { GIT_LEAST, gitHere } from '../../app/git/git-here.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { foldRun } from '../../app/fold-run.ts';
import { openProject } from '../../app/open-project.ts';
import { aligned } from '../text/rows.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { run } from './run.ts';

export interface DemoFlags {
  readonly folder: string | undefined;
  readonly isRemoved: boolean;
  readonly json: boolean;
}

/** `heddle demo`: carries a plan out on a small project, in the very way that `heddle run` does, and says what was shown. */
export async function demo(terminal: Terminal, flags: DemoFlags): Promise<ExitCode> {
  mustNotBeNested();
  mustHaveGit();
  const project = makeDemoProject(flags.folder);
  const heddle = callingOf(process.env, process.argv);
  const say = flags.json ? (): void => {} : terminal.out;
  say([...opening(terminal, project), ''].join('\n'));
  // The view of the run takes the whole terminal, so there is time to read what it is about.
  const isRead = !terminal.isInteractive || flags.json || (await isLeftToRead());
  if (!isRead) {
    remove(project);
    return EXIT.interrupted;
  }
  process.chdir(project.folder);
  bringNode();
  const audience = flags.json ? { ...terminal, out: () => {}, isInteractive: false } : terminal;
  const exit = await run(audience, 'plan.yaml', { ...AS_PLANNED, json: flags.json });
  if (exit !== EXIT.done) return wentWrong(terminal, { exit, heddle, project });
  const shown = whatWasShown();
  if (flags.json) terminal.out(JSON.stringify({ folder: project.folder, ...shown }, undefined, 2));
  say(['', ...summary(terminal, shown), '', ...proof(terminal, shown), ''].join('\n'));
  if (flags.isRemoved) remove(project);
  else say(nextSteps(terminal, { heddle, folder: project.folder, task: conflictedIn(shown) }).join('\n'));
  return exit;
}

/** Before anything is made. */
function mustHaveGit(): void {
  const found = gitHere(process.env['PATH']);
  if (found.type === 'good') return;
  const what =
    found.type === 'missing'
      ? 'There is no git on the PATH, and sandboxes need it.'
      : `This is ${found.says}, and sandboxes need ${GIT_LEAST} or later.`;
  throw new Failure(`${what} Install git ${GIT_LEAST} or later from your system's packages or from git-scm.com.`);
}

const conflictedIn = ({ figures }: Shown): string => figures.conflicts[0]?.task ?? 'woad';

const READING_MS = 4_000;

/** False when the person has seen enough. */
async function isLeftToRead(): Promise<boolean> {
  const stop = new AbortController();
  const { signal } = stop;
  const interrupted = once(process, 'SIGINT', { signal }).then(() => false);
  const isLeft = await Promise.race([interrupted, setTimeout(READING_MS, true, { signal })]);
  // Whichever comes second has been overtaken, which is no failure.
  interrupted.catch(() => undefined);
  stop.abort();
  return isLeft;
}

/** The plan says all there is to say. */
const AS_PLANNED = {
  detach: false,
  git: true,
  input: [],
  plain: false,
  policy: 'parallel',
  seed: undefined,
  takeOver: false,
  waitMs: undefined,
} as const;

/** The checks of the project are run by Node, which need not be on the PATH of somebody who starts us by its file. */
function bringNode(): void {
  const { PATH: path = '' } = process.env;
  if (findProgram('node', path) === undefined)
    process.env['PATH'] = [path, dirname(process.execPath)].filter((part) => part !== '').join(delimiter);
}

function whatWasShown(): Shown {
  const { store } = openProject('read');
  const { record, state, events } = foldRun(store, chooseRun(store, undefined));
  store.close();
  const branch = `heddle/${record.run}`;
  const commits = Number(git('.', 'rev-list', '--count', `main..${branch}`));
  return { run: record.run, figures: figuresOf(state, events), branch, commits };
}

/** That it is all there, by git's word: how it was merged, and what the last task made. */
function proof(terminal: Terminal, { branch }: Shown): readonly string[] {
  const words = ['log', '--oneline', '--first-parent', branch];
  const colour = terminal.colour ? '--color=always' : '--color=never';
  const show = ['show', `${branch}:cloth.txt`];
  return [
    `$ git ${words.join(' ')}`,
    git('.', ...words, '--no-decorate', colour).trimEnd(),
    '',
    `$ git ${show.join(' ')}`,
    git('.', ...show).trimEnd(),
  ];
}

interface Wrong {
  readonly exit: ExitCode;
  readonly heddle: Calling;
  readonly project: DemoProject;
}

function wentWrong(terminal: Terminal, { exit, heddle, project }: Wrong): ExitCode {
  const { name, alias } = heddle;
  const what = exit === EXIT.interrupted ? 'The demo was interrupted' : 'The demo did not go as it should';
  const hasEnded = exit === EXIT.someFailed || exit === EXIT.ceiling;
  const removed = `then rm -rf ${quoted(project.folder)} removes it`;
  const rows = [
    hasEnded ? [`${name} retry`, 'runs again what is not done'] : [`${name} resume`, 'goes on'],
    [`${name} doctor`, 'says what may be wrong on this machine'],
    hasEnded ? [`${name} doctor --fix`, `tidies up; ${removed}`] : [`${name} cancel`, `gives it up; ${removed}`],
  ];
  const lines = [`  cd ${quoted(project.folder)}`, ...(alias === undefined ? [] : [`  ${alias}`]), ...aligned(rows)];
  terminal.err([`${what}. From here:`, ...lines].join('\n'));
  return exit;
}

function remove({ folder }: DemoProject): void {
  process.chdir('/');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
