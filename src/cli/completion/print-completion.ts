// Answers a shell that asks what could come next. A shell in the middle of a line is no place for messages, so whatever
// is wrong, the answer is silence.
import type { Command } from '@commander-js/extra-typings';
import type { Terminal } from '../terminal.ts';
import { complete, type Offer } from './complete.ts';
import { knownHere } from './known-here.ts';

export async function printCompletion(terminal: Terminal, program: Command, words: readonly string[]): Promise<void> {
  try {
    const { offers, paths } = await complete(program, words, knownHere(program));
    const lines = [...offers.map(lineOf), ...(paths === undefined ? [] : [`:${paths}`])];
    if (lines.length > 0) terminal.out(lines.join('\n'));
  } catch (cause) {
    if (process.env['HEDDLE_DEBUG'] !== undefined) terminal.err(String(cause));
  }
}

/** One word on each line, and what it stands for behind a tab. */
const lineOf = ({ word, says }: Offer): string => (says === '' ? word : `${word}\t${says.replaceAll(/\s+/g, ' ')}`);
