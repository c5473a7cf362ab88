// Puts a question to the person at the terminal.
import { createInterface } from 'node:readline/promises';
import { Failure } from './exit-code.ts';
import type { Terminal } from './terminal.ts';
import { terminalText } from './terminal-text.ts';

export const canAsk = ({ isInteractive }: Pick<Terminal, 'isInteractive'>): boolean =>
  isInteractive && process.stdin.isTTY;

/** An empty line, Ctrl-C and Ctrl-D mean no. Without a person it is a usage error that names the flag. */
export async function confirmed(terminal: Terminal, question: string, isAnswered: boolean): Promise<boolean> {
  if (isAnswered) return true;
  if (!canAsk(terminal))
    throw new Failure(`${question} Nobody is at a terminal to say so; add --yes to say it beforehand.`);
  return /^\s*y(es)?\s*$/i.test((await lineTyped(terminalText(`${question} [y/N] `, { colour: false }))) ?? '');
}

/** Undefined when the person interrupts it or ends the input. */
export async function lineTyped(prompt: string): Promise<string | undefined> {
  // An earlier view may have left standard input unreferenced.
  process.stdin.ref();
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const typed = Promise.withResolvers<string | undefined>();
  reader.once('close', () => typed.resolve(undefined));
  reader.once('SIGINT', () => reader.close());
  reader.on('SIGTSTP', () => {
    process.once('SIGCONT', () => {
      process.stdin.setRawMode(true);
      reader.prompt(true);
    });
    process.stdin.setRawMode(false);
    // The launcher is to stop too, or the shell would not know.
    process.kill(0, 'SIGTSTP');
  });
  // A closed reader rejects its question, which has been answered by then.
  reader.question(prompt).then(typed.resolve, () => typed.resolve(undefined));
  const line = await typed.promise;
  if (line === undefined) process.stderr.write('\n');
  reader.close();
  return line;
}
