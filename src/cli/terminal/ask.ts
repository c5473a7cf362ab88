// Puts a question to the person at the terminal.
import { createInterface } from 'node:readline/promises';
import { Failure } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

export const canAsk = ({ isInteractive }: Pick<Terminal, 'isInteractive'>): boolean =>
  isInteractive && process.stdin.isTTY;

/** Nothing typed means no. Without a person the call is wrong, and says how to answer beforehand. */
export async function confirmed(terminal: Terminal, question: string, isAnswered: boolean): Promise<boolean> {
  if (isAnswered) return true;
  if (!canAsk(terminal))
    throw new Failure(`${question} Nobody is at a terminal to say so; add --yes to say it beforehand.`);
  // A view that was shown before has left the keyboard as one that nobody waits for.
  process.stdin.ref();
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^\s*y(es)?\s*$/i.test(await reader.question(`${question} [y/N] `));
  } finally {
    reader.close();
  }
}
