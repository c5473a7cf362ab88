// Text of the demo before and after its run.
import { formatDuration, formatMoney } from '../../core/view/chart/format.ts';
import { times } from '../../core/view/document/document.ts';
import { plural } from '../../core/view/text/count-text.ts';
import { aligned } from './rows.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { quoted, type Calling } from '../../app/onboarding/calling.ts';
import type { DemoProject, ShownRun } from '../../app/onboarding/demo-project.ts';

/** No line is wider than 80 columns, but for paths. */
export function opening(terminal: Terminal, { folder, files }: DemoProject): readonly string[] {
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

export function summary(terminal: Terminal, { figures, branch, commits }: ShownRun): readonly string[] {
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

export interface Leaving {
  readonly heddle: Calling;
  readonly folder: string;
  /** A task that had a conflict. */
  readonly task: string;
}

export function nextSteps(terminal: Terminal, { heddle, folder, task }: Leaving): readonly string[] {
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
    `  cd ${quoted(folder)}`,
    ...(heddle.alias === undefined ? [] : [`  ${heddle.alias}`]),
    ...aligned(rows),
    'Then, in a repository of yours:',
    ...aligned([[`${heddle.name} init`, paint(terminal, 'quiet', 'finds your agents and tests, and proposes a plan')]]),
    '',
    `Nothing is left running. To remove the project: rm -rf ${quoted(folder)}`,
  ];
}
