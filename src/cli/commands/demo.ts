import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { mustNotBeNested } from '../../app/project.ts';
import { callingOf, quoted, type Calling } from '../../app/onboarding/calling.ts';
import {
  enterDemoProject,
  makeDemoProject,
  readShownRun,
  removeDemoProject,
  type DemoProject,
  type ShownRun,
} from '../../app/onboarding/demo-project.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { nextSteps, opening, summary } from '../text/narration.ts';
import { aligned } from '../text/rows.ts';
import { run } from './run.ts';

export interface DemoFlags {
  readonly folder: string | undefined;
  readonly isRemoved: boolean;
  readonly json: boolean;
}

/** `heddle demo`: runs a plan on a small project by `heddle run` itself, and summarizes the run. */
export async function demo(terminal: Terminal, flags: DemoFlags): Promise<ExitCode> {
  mustNotBeNested();
  const project = makeDemoProject(flags.folder);
  const heddle = callingOf(process.env, process.argv);
  const say = flags.json ? (): void => {} : terminal.out;
  say([...opening(terminal, project), ''].join('\n'));
  // The live view takes the whole terminal, so the introduction is shown long enough to read.
  const isRead = !terminal.isInteractive || flags.json || (await isLeftToRead());
  if (!isRead) {
    removeDemoProject(project);
    return EXIT.interrupted;
  }
  enterDemoProject(project);
  const audience = flags.json ? { ...terminal, out: () => {}, isInteractive: false } : terminal;
  const exit = await run(audience, 'plan.yaml', { ...AS_PLANNED, json: flags.json });
  if (exit !== EXIT.done) return wentWrong(terminal, { exit, heddle, project });
  const shown = readShownRun({ colour: terminal.colour });
  if (flags.json)
    terminal.out(
      JSON.stringify(
        {
          folder: project.folder,
          run: shown.run,
          figures: shown.figures,
          branch: shown.branch,
          commits: shown.commits,
        },
        undefined,
        2,
      ),
    );
  say(['', ...summary(terminal, shown), '', ...proof(shown), ''].join('\n'));
  if (flags.isRemoved) removeDemoProject(project);
  else say(nextSteps(terminal, { heddle, folder: project.folder, task: conflictedIn(shown) }).join('\n'));
  return exit;
}

const conflictedIn = ({ figures }: ShownRun): string => figures.conflicts[0]?.task ?? 'woad';

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

/** All settings come from the plan. */
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

/** Evidence by git itself: the merges, and the file that the last task made. */
const proof = ({ log, cloth }: ShownRun): readonly string[] => [
  `$ git ${log.command}`,
  log.output,
  '',
  `$ git ${cloth.command}`,
  cloth.output,
];

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
