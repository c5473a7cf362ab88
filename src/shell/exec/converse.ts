// Connects a program to its dialogue: lines of standard output go to the dialogue, which writes to standard input.
import type { Writable } from 'node:stream';
import type { Launch } from '../ports/agents.ts';
import { MESSAGE_MAX_BYTES, splitLines } from './lines.ts';
import type { OnOutput } from './streams.ts';

export interface Conversing {
  readonly launch: Launch;
  readonly cwd: string;
  readonly stdin: Writable | undefined;
  readonly onOutput: OnOutput;
  readonly onLeft: (withinMs: number) => void;
}

export interface Conversed {
  readonly onOutput: OnOutput;
  readonly begin: () => void;
  /** The program has ended; its last line may lack its end. */
  readonly end: () => void;
}

/** Undefined for a program without a dialogue. */
export function converse({ launch, cwd, stdin, onOutput, onLeft }: Conversing): Conversed | undefined {
  const { dialogue } = launch;
  if (dialogue === undefined || stdin === undefined) return undefined;
  // A program that does not read its input is judged by its output and exit code.
  stdin.on('error', () => undefined);
  let isOver = false;
  const leave = (withinMs: number): void => {
    if (isOver) return;
    isOver = true;
    stdin.end();
    onLeft(withinMs);
  };
  const write = (line: string): void => {
    if (!isOver) stdin.write(`${line}\n`);
  };
  const lines = splitLines((line) => {
    for (const each of dialogue.receive(line)) onOutput('stdout', Buffer.from(`${each}\n`));
  }, MESSAGE_MAX_BYTES);
  return {
    onOutput: (from, chunk) => {
      if (from === 'stdout') lines.push(chunk);
      else onOutput(from, chunk);
    },
    begin: () => dialogue.begin({ cwd, write, leave }),
    end: () => {
      lines.end();
      isOver = true;
    },
  };
}
