// Where output goes and what it may look like there. Commands write through this, so that they can be tested and are
// quiet when piped.
import { styleText } from 'node:util';
import { EXIT } from './exit-code.ts';

export interface Terminal {
  /** A line, or several. */
  readonly out: (text: string) => void;
  /** Text as it is, without a line's end. */
  readonly write: (text: string) => void;
  readonly err: (text: string) => void;
  readonly width: number;
  readonly colour: boolean;
}

export type Style = 'good' | 'bad' | 'warn' | 'quiet' | 'strong';

const STYLES = { good: 'green', bad: 'red', warn: 'yellow', quiet: 'dim', strong: 'bold' } as const;

/** Colours a text where colour is wanted; elsewhere the text stands as it is. */
export function paint(terminal: Terminal, style: Style, text: string): string {
  return terminal.colour ? styleText(STYLES[style], text, { validateStream: false }) : text;
}

const WIDTH_PIPED = 100;
const WIDTH_MIN = 60;
const WIDTH_MAX = 200;

export function openTerminal(): Terminal {
  // A reader that goes away, as `head` does, is no failure of ours.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(EXIT.done);
      if (stream === process.stdout)
        process.stderr.write(`heddle: the output could not be written: ${error.message}. Choose another place.\n`);
      process.exit(EXIT.wrong);
    });
  }
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    write: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(`${text}\n`),
    width: Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, process.stdout.columns ?? WIDTH_PIPED)),
    colour: wantsColour(),
  };
}

function wantsColour(): boolean {
  const { NO_COLOR: none, FORCE_COLOR: forced, TERM: term } = process.env;
  if (none !== undefined && none !== '') return false;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return process.stdout.isTTY && term !== 'dumb';
}
