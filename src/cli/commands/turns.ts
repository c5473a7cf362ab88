import { formatDuration, formatMoney } from '../../core/view/chart/format.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { chooseRunOrTask, openProject } from '../../app/open-project.ts';
import { readTurnsInside, type TurnLine } from '../../app/read/turns-of.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { nameOf } from '../../core/view/text/run-names.ts';
import { terminalText } from '../terminal/terminal-text.ts';

export interface TurnsFlags {
  readonly run: string | undefined;
  readonly json: boolean;
}

/** `heddle turns TASK`: prompts and messages of a task's agents, turn by turn; of all tasks for a subplan or a run. */
export function turns(terminal: Terminal, named: string, { run, json }: TurnsFlags): ExitCode {
  const open = openProject('read');
  const { record, task } = chooseRunOrTask(open.store, named, run);
  const lines = readTurnsInside(open, record, task);
  open.store.close();
  if (json) for (const line of lines) terminal.out(JSON.stringify(line));
  else for (const line of lines) print(terminal, line, line.task === task ? line.step : nameOf(lineNamed(line)));
  if (lines.length === 0 && !json) terminal.err(`No step of ${task ?? 'it'} has begun in ${record.run}.`);
  return EXIT.done;
}

/** A task that is a join has no steps. */
const lineNamed = ({ task, step, type }: TurnLine) => ({
  task,
  step: type === 'join' && step === 'join' ? undefined : step,
});

function print(terminal: Terminal, line: TurnLine, name: string): void {
  const { attempt, agent, verdict, launched_at: launchedAt, completed_at: completedAt, usd, from } = line;
  const who = agent === null ? '' : ` by ${agent}`;
  const took = completedAt === null ? '' : ` after ${formatDuration(Math.max(0, completedAt - launchedAt))}`;
  const cost = usd === null || usd === 0 ? '' : ` for ${formatMoney(usd)}`;
  const how = from === null ? '' : `, ${from.mode === 'fork' ? 'branched off' : 'going on with'} ${from.id}`;
  const head = `${name} #${attempt}${who}: ${verdict ?? 'running'}${took}${cost}${how}`;
  terminal.out(paint(terminal, 'strong', head));
  // Without a terminal the text stays unchanged.
  const said = (text: string): string => (terminal.isTty ? terminalText(text, { colour: false }) : text);
  if (line.prompt !== null) terminal.out(indented('> ', said(line.prompt)));
  if (line.response !== null) terminal.out(indented('  ', said(line.response)));
}

const indented = (before: string, text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((each) => `${before}${each}`)
    .join('\n');
