// Puts a question to the person at the terminal.
import { createInterface } from 'node:readline/promises';
import { CommandFailure } from './exit-code.ts';
import { isTerminal, type Terminal } from './terminal.ts';
import { terminalText } from './terminal-text.ts';

export const canAsk = ({ isInteractive, far }: Pick<Terminal, 'isInteractive' | 'far'>): boolean =>
  far?.canAsk ?? (isInteractive && isTerminal(process.stdin));

/** An empty line, Ctrl-C and Ctrl-D mean no. Without a person it is a usage error that names the flag. */
export async function confirmed(terminal: Terminal, question: string, isAnswered: boolean): Promise<boolean> {
  if (isAnswered) return true;
  if (!canAsk(terminal))
    throw new CommandFailure(`${question} Nobody is at a terminal to say so; add --yes to say it beforehand.`);
  return /^\s*y(es)?\s*$/i.test(
    (await lineTyped(terminal, terminalText(`${question} [y/N] `, { colour: false }))) ?? '',
  );
}

/** What is typed stays invisible. Undefined when the person interrupts it or ends the input. */
export async function secretTyped(prompt: string): Promise<string | undefined> {
  process.stdin.ref();
  process.stderr.write(prompt);
  const reader = createInterface({ input: process.stdin, terminal: true });
  const typed = Promise.withResolvers<string | undefined>();
  reader.once('line', (line) => typed.resolve(line));
  reader.once('close', () => typed.resolve(undefined));
  reader.once('SIGINT', () => reader.close());
  const line = await typed.promise;
  process.stderr.write('\n');
  reader.close();
  return line;
}

/** Undefined when the person interrupts it or ends the input. */
export async function lineTyped({ far }: Pick<Terminal, 'far'>, prompt: string): Promise<string | undefined> {
  if (far !== undefined) return await far.ask(prompt);
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
