// The output streams and their features. Commands write through this, so that they can be tested and are quiet when
// piped.
import { existsSync, fstatSync, closeSync, openSync, writeSync } from 'node:fs';
import { styleText } from 'node:util';
import type { Style } from '../../core/view/text/styled-text.ts';
import { EXIT, CommandFailure } from './exit-code.ts';
import { terminalText } from './terminal-text.ts';
import type { FarEnd } from './far-end.ts';

export interface Terminal {
  /** A line, or several. At a terminal, foreign text in it is made safe; elsewhere all of it stays as it is. */
  readonly out: (text: string) => void;
  /** Text as it is, without a line's end. */
  readonly write: (text: string) => void;
  /** Foreign bytes, unchanged. */
  readonly writeBytes: (bytes: Uint8Array) => void;
  readonly err: (text: string) => void;
  readonly width: number;
  /** As it is now; a window may be resized. */
  readonly size: () => { readonly width: number; readonly height: number };
  /** Whether standard output is a terminal, which control sequences would steer. */
  readonly isTty: boolean;
  /** Whether a person sees repainted output there. */
  readonly isInteractive: boolean;
  readonly colour: boolean;
  /** Whether the locale has Unicode. */
  readonly unicode: boolean;
  /** The person's machine, where this process works for somebody at another one. */
  readonly far: FarEnd | undefined;
}

const STYLES: Readonly<Record<Style, Parameters<typeof styleText>[0]>> = {
  good: 'green',
  running: 'blueBright',
  warn: 'yellow',
  bad: 'red',
  quiet: 'dim',
  strong: 'bold',
  chosen: 'inverse',
  found: ['black', 'bgYellow'],
};

/** Colours a text where colour is wanted; elsewhere returns it unchanged. */
export function paint(terminal: Pick<Terminal, 'colour'>, style: Style, text: string): string {
  return terminal.colour ? styleText(STYLES[style], text, { validateStream: false }) : text;
}

const WIDTH_PIPED = 100;
const HEIGHT_PIPED = 40;
const WIDTH_MIN = 60;
const WIDTH_MAX = 200;

let endsUnread = true;

/** A coordinator continues after the reader of its output has gone. */
export function goOnUnread(): void {
  endsUnread = false;
}

export function openTerminal(): Terminal {
  // A reader that goes away, as `head` does, is no failure of ours.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!endsUnread) return;
      if (error.code === 'EPIPE') process.exit(EXIT.done);
      if (stream === process.stdout)
        process.stderr.write(`heddle: the output could not be written: ${error.message}. Choose another place.\n`);
      process.exit(EXIT.wrong);
    });
  }
  const colour = wantsColour();
  const isTty = isTerminal(process.stdout);
  const writeTo = (stream: NodeJS.WriteStream, text: string): void =>
    void stream.write(stream.isTTY ? terminalText(text, { colour }) : text);
  return {
    out: (text) => writeTo(process.stdout, `${text}\n`),
    write: (text) => writeTo(process.stdout, text),
    writeBytes: (bytes) => void process.stdout.write(bytes),
    err: (text) => writeTo(process.stderr, `${text}\n`),
    width: Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, known(columnsSeen(), WIDTH_PIPED))),
    size: () => ({
      width: known(process.stdout.columns, WIDTH_PIPED),
      height: known(process.stdout.rows, HEIGHT_PIPED),
    }),
    isTty,
    isInteractive: isTty && process.env['TERM'] !== 'dumb' && process.env['CI'] === undefined,
    colour,
    unicode: hasUnicode(),
    far: undefined,
  };
}

/** A stream that is none does not say so. */
export const isTerminal = ({ isTTY }: { readonly isTTY?: boolean }): boolean => isTTY === true;

/** The width of the terminal. Piped output is mostly read at the terminal of standard error, as in a pager. */
const columnsSeen = (): number | undefined =>
  process.stdout.isTTY || !fstatSync(process.stdout.fd).isFIFO() ? process.stdout.columns : process.stderr.columns;

/** A terminal without a known size reports 0. */
const known = (size: number | undefined, otherwise: number): number =>
  size === undefined || size === 0 ? otherwise : size;

/** By the locale; where none is set, only the console of Linux is known to have no such signs. */
function hasUnicode(): boolean {
  const { LC_ALL: all, LC_CTYPE: characters, LANG: language, TERM: term } = process.env;
  const locale = [all, characters, language].find((each) => each !== undefined && each !== '');
  return locale === undefined ? term !== 'linux' : /utf-?8/iu.test(locale);
}

function wantsColour(): boolean {
  const { NO_COLOR: none, FORCE_COLOR: forced, TERM: term } = process.env;
  if (none !== undefined && none !== '') return false;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal(process.stdout) && term !== 'dumb';
}

/** Whether there is a file already where a command would write one. */
export const isTaken = ({ far }: Pick<Terminal, 'far'>, file: string): boolean =>
  far?.isTaken(file) ?? existsSync(file);

/**
 * A command's product goes to the file that was asked for, else to standard output. It comes in chunks, because it may be
 * longer than a string can be.
 */
export function writeOutput(terminal: Terminal, file: string | undefined, chunks: Iterable<string>): void {
  if (file === undefined || file === '-') {
    for (const chunk of chunks) terminal.write(chunk);
    return;
  }
  if (terminal.far !== undefined) return terminal.far.writeFile(file, chunks);
  try {
    const open = openSync(file, 'w');
    for (const chunk of chunks) writeSync(open, chunk);
    closeSync(open);
  } catch (cause) {
    throw new CommandFailure(
      `${file} could not be written: ${cause instanceof Error ? cause.message : String(cause)}. Choose another place.`,
      { cause },
    );
  }
}
