import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { mustNotBeNested } from '../../app/project.ts';
import { callingOf, shellQuoted, type HeddleCall } from '../../app/onboarding/calling.ts';
import {
  enterDemoProject,
  makeDemoProject,
  readShownRun,
  removeDemoProject,
  type DemoProject,
  type ShownRun,
} from '../../app/onboarding/demo-project.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { aligned } from '../text/rows.ts';
import { run } from './run.ts';
import { formatDuration, formatMoney } from '../../core/view/chart/format.ts';
import { times } from '../../core/view/document/document.ts';
import { plural } from '../../core/view/text/count-text.ts';

export interface DemoFlags {
  readonly folder: string | undefined;
  readonly isRemoved: boolean;
  readonly json: boolean;
  /** The dashboard beside the run. */
  readonly web: boolean;
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
  const quiet = flags.json ? { ...terminal, out: () => {}, isInteractive: false } : terminal;
  const exit = await run(quiet, 'plan.yaml', { ...AS_PLANNED, json: flags.json, web: flags.web });
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
  publicUrl: undefined,
  webPort: 0,
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
  readonly heddle: HeddleCall;
  readonly project: DemoProject;
}

function wentWrong(terminal: Terminal, { exit, heddle, project }: Wrong): ExitCode {
  const { name, alias } = heddle;
  const what = exit === EXIT.interrupted ? 'The demo was interrupted' : 'The demo did not go as it should';
  const hasEnded = exit === EXIT.someFailed || exit === EXIT.ceiling;
  const removed = `then rm -rf ${shellQuoted(project.folder)} removes it`;
  const rows = [
    hasEnded ? [`${name} retry`, 'runs again what is not done'] : [`${name} resume`, 'goes on'],
    [`${name} doctor`, 'says what may be wrong on this machine'],
    hasEnded ? [`${name} doctor --fix`, `tidies up; ${removed}`] : [`${name} cancel`, `gives it up; ${removed}`],
  ];
  const lines = [
    `  cd ${shellQuoted(project.folder)}`,
    ...(alias === undefined ? [] : [`  ${alias}`]),
    ...aligned(rows),
  ];
  terminal.err([`${what}. From here:`, ...lines].join('\n'));
  return exit;
}

/** No line is wider than 80 columns, but for paths. */
function opening(terminal: Terminal, { folder, files }: DemoProject): readonly string[] {
  const title = (text: string): string => paint(terminal, 'strong', text);
  return [
    title('Heddle runs many coding agents on one repository at once, from a plan.'),
    'This is such a run, in small. All of it is real but the agents: they are',
    'scripted, need no key and no network, and spend play money.',
    '',
    ...aligned([
      ['project', folder],
      ['', `${plural(files, 'file')} in git, which weave cloth in a terminal`],
      ['plan', 'plan.yaml: 12 tasks, at most 6 at once, a budget of $1.00'],
    ]),
    '',
    title('Watch for'),
    ...aligned([
      ['overlap', 'each task has a sandbox of its own; none waits without need'],
      ['a retry', 'border fails its check once, and goes back to its agent'],
      ['a conflict', 'madder and woad add a line at the same place (a warning says so);'],
      ['', 'the agent of the later one makes it fit'],
      ['the budget', 'dollars are reserved before each turn, and settled after it'],
    ]),
    '',
    `${paint(terminal, 'quiet', '$')} heddle run plan.yaml`,
  ];
}

function summary(terminal: Terminal, { figures, branch, commits }: ShownRun): readonly string[] {
  const { tasks, tasksDone, tookMs, serialMs, speedUp, peak, checksFailed, conflicts, usdSpent, usdCeiling } = figures;
  const ceiling = usdCeiling === undefined ? '' : ` of ${formatMoney(usdCeiling)}`;
  return [
    paint(terminal, 'strong', 'What you saw'),
    ...aligned([
      ['done', `${tasksDone} of ${tasks} tasks, in ${formatDuration(tookMs)}`],
      ['overlap', `up to ${peak} running at once`],
      ['', `one after the other it takes ${formatDuration(serialMs)}, ${times(speedUp)} as long`],
      ...checksFailed.map(({ task, said }) => ['a retry', `${task}, whose check said: ${said}`]),
      ...conflicts.map((conflict) => [
        'a conflict',
        `${conflict.task} with ${conflict.with.join(', ')} in ${conflict.paths.join(', ')}; its agent made it fit`,
      ]),
      ['the budget', `${formatMoney(usdSpent)}${ceiling} spent`],
      ['the result', `${plural(commits, 'commit')} on ${branch}, checked merged; main has not moved`],
    ]),
  ];
}

interface Leaving {
  readonly heddle: HeddleCall;
  readonly folder: string;
  /** A task that had a conflict. */
  readonly task: string;
}

function nextSteps(terminal: Terminal, { heddle, folder, task }: Leaving): readonly string[] {
  const commands = [
    ['status', 'where every task stands'],
    ['report --out report.html', 'who did what, with a chart'],
    ['logs border --step check --attempt 1', 'what the check said that failed'],
    [`turns ${task}`, 'what its agent was told'],
    ['land', 'moves main to the result'],
  ] as const;
  const rows = commands.map(([words, says]) => [`${heddle.name} ${words}`, paint(terminal, 'quiet', says)]);
  return [
    paint(terminal, 'strong', 'Try next'),
    `  cd ${shellQuoted(folder)}`,
    ...(heddle.alias === undefined ? [] : [`  ${heddle.alias}`]),
    ...aligned(rows),
    'Then, in a repository of yours:',
    ...aligned([[`${heddle.name} init`, paint(terminal, 'quiet', 'finds your agents and tests, and proposes a plan')]]),
    '',
    `Nothing is left running. To remove the project: rm -rf ${shellQuoted(folder)}`,
  ];
}
