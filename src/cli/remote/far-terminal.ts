// A terminal that is at another machine: everything becomes a frame.
import type { CommandAnswer, CommandFrame, GrantedCommand } from '../../core/protocol/remote-command.ts';
import type { FarEnd } from '../terminal/far-end.ts';
import type { Terminal } from '../terminal/terminal.ts';

export type Send = (frame: CommandFrame) => void;

export interface FarTerminal {
  readonly terminal: Terminal;
  readonly far: FarEnd;
  readonly receive: (answer: CommandAnswer) => void;
}

/** Frames are sent in pieces of at most this many characters, so that nobody has to hold a long output. */
const PIECE_CHARACTERS = 32 * 1024;

export function openFarTerminal({ screen, taken, checkout }: GrantedCommand, send: Send): FarTerminal {
  const asked = new Map<number, (line: string | undefined) => void>();
  let number = 0;
  const { width, height, colour, unicode, isTty, canAsk, isInteractive } = screen;
  const write = (text: string): void => {
    for (const piece of piecesOf(text)) send({ type: 'out', text: piece });
  };
  const answerTo = (frameOf: (number: number) => CommandFrame): Promise<string | undefined> =>
    new Promise((resolve) => {
      number += 1;
      asked.set(number, resolve);
      send(frameOf(number));
    });
  const far: FarEnd = {
    canAsk,
    isInteractive,
    checkout,
    ask: (prompt) => answerTo((of) => ({ type: 'question', number: of, prompt })),
    wantCommit: (commit, roots) => answerTo((of) => ({ type: 'wanted', number: of, commit, roots })),
    isTaken: (file) => taken.includes(file),
    writeFile: (name, chunks) => {
      send({ type: 'file', name, text: '', isFirst: true });
      for (const chunk of chunks)
        for (const text of piecesOf(chunk)) send({ type: 'file', name, text, isFirst: false });
    },
    follows: (run) => send({ type: 'following', run }),
    unlimited: () => send({ type: 'unlimited' }),
  };
  const terminal: Terminal = {
    out: (text) => write(`${text}\n`),
    write,
    writeBytes: (bytes) => send({ type: 'bytes', base64: Buffer.from(bytes).toString('base64') }),
    err: (text) => send({ type: 'err', text }),
    width,
    size: () => ({ width, height }),
    isTty,
    // What is repainted here would be repainted over there a moment later, if at all.
    isInteractive: false,
    colour,
    unicode,
    far,
  };
  return {
    terminal,
    far,
    receive: ({ number: of, line }) => {
      asked.get(of)?.(line);
      asked.delete(of);
    },
  };
}

function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = from + PIECE_CHARACTERS;
    // Two halves of one character stay together.
    const to = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield text.slice(from, to);
    from = to;
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
