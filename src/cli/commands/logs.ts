import { chooseRun, openProject } from '../../app/open-project.ts';
import { readOutput, type NoOutput } from '../../app/read/read-output.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { textStream } from '../terminal/terminal-text.ts';

export interface LogsFlags {
  readonly run: string | undefined;
  readonly step: string | undefined;
  readonly attempt: number | undefined;
  readonly follow: boolean;
  /** Bytes as they came, at a terminal too. */
  readonly raw: boolean;
  /** Text without colours and control sequences, for a terminal and for a pipe. */
  readonly plain: boolean;
}

/**
 * `heddle logs TASK`: the output of a task's steps; with `-f` until the task is over. A terminal gets text and colours
 * only, because foreign output must not control the terminal; a pipe gets every byte unchanged.
 */
export async function logs(terminal: Terminal, task: string, flags: LogsFlags): Promise<ExitCode> {
  const open = openProject('read');
  const record = chooseRun(open.store, flags.run);
  const { step, attempt, follow: follows } = flags;
  const isText = flags.plain || (terminal.isTty && !flags.raw);
  const text = isText ? textStream({ colour: terminal.colour && !flags.plain }) : undefined;
  const end = (): void => terminal.write(text?.end() ?? '');
  let exit: ExitCode = EXIT.done;
  for await (const part of readOutput(open, record, { task, step, attempt, follows })) {
    switch (part.type) {
      case 'attempt':
        end();
        terminal.err(paint(terminal, 'quiet', `── ${part.step}, attempt ${part.attempt}`));
        break;
      case 'bytes':
        if (text === undefined) terminal.writeBytes(part.bytes);
        else terminal.write(text.write(part.bytes));
        break;
      case 'nothing':
        terminal.err(noOutputText(part.why, { task, run: record.run }));
        if (step !== undefined || attempt !== undefined) exit = EXIT.wrong;
    }
  }
  end();
  open.store.close();
  return exit;
}

/** Why there is no output of a task to show, and where there is some. */
function noOutputText(why: NoOutput, { task, run }: { readonly task: string; readonly run: string }): string {
  switch (why.code) {
    case 'of-children':
      return `${task} prints nothing itself; its tasks do. Try heddle logs ${why.child}.`;
    case 'prints-nothing':
      return `${task} is a ${why.type}, which prints nothing.`;
    case 'not-begun':
      return `${task} has not started in ${run}, so there is no output yet.`;
    case 'never-ran':
      return `${task} never ran in ${run}, so there is no output. heddle explain ${task} says why.`;
    case 'no-such-attempt': {
      const made = why.attempts.map(({ step, attempt }) => `${step} ${attempt}`).join(', ');
      return `There is no such attempt on ${task}. Those made: ${made}.`;
    }
    case 'deleted':
      return `There is no output of ${task}: either it never started, or its output was deleted. heddle explain ${task} says more.`;
  }
}
