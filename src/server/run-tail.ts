// The log of one run for all tabs that show it.
//
// run-tail/T1. Each tab gets every event after its `from` exactly once, in order, however slowly it reads: it is sent
//     the log from its own position, and the position moves with what was written.
// run-tail/T2. A tab holds at most one page of the log, and none when it has caught up; tabs at the same position share
//     a page.
import type { StreamLine, WebError } from '../core/protocol/web.ts';
import type { KeptStore } from '../app/web/kept-store.ts';
import type { EventText, OpenProject } from '../app/open-project.ts';
import type { LineStream } from './line-stream.ts';
import { ATTEMPTS } from './run-reads.ts';

export const streamLineOf = (line: StreamLine): string => `${JSON.stringify(line)}\n`;

const eventLine = (position: number, json: string): string =>
  `{"type":"event","position":${position},"event":${json}}\n`;

/** Events that are held at once for a tab, however long the log. */
const PAGE_EVENTS = 256;

/** Written at once, so that a tab with a long log does not hold up the others for long. */
const PIECE_CHARS = 1 << 16;

interface LogRead {
  readonly from: number;
  /** Bytes, made once for all tabs at this position: a text would be copied for each of them. */
  readonly pieces: readonly Piece[];
  /** The position after the events. */
  readonly position: number;
  /** The end of the log at that time. */
  readonly end: number;
  readonly failure: WebError | undefined;
}

interface Piece {
  readonly bytes: Buffer;
  /** The position after its events. */
  readonly position: number;
}

interface Tab {
  readonly stream: LineStream;
  /** The position after the last event that was written. */
  position: number;
  read: LogRead | undefined;
  hasCaughtUp: boolean;
  /** The end of the log at which it was told that the log is damaged. */
  damagedAt: number | undefined;
}

export interface RunTail {
  readonly attach: (stream: LineStream, from: number) => void;
  readonly detach: (stream: LineStream) => void;
  readonly isEmpty: () => boolean;
  /** Sends what was appended since. */
  readonly advance: () => void;
  /** Sends a line to every tab. A tab that attaches later gets the latest line of each type. */
  readonly tell: (line: StreamLine) => void;
}

export function openRunTail(run: string, kept: KeptStore): RunTail {
  const tabs = new Map<LineStream, Tab>();
  const told = new Map<StreamLine['type'], string>();
  let shared: LogRead | undefined;

  const readFrom = (from: number): LogRead => {
    const read = kept.read((open) => {
      const note = (texts: readonly EventText[]): void => ATTEMPTS.note({ home: open.project.home, run }, from, texts);
      return readLogOf(open, run, { from, shared, note });
    });
    shared = read.type === 'read' ? read.value : unreadable(from, read.error);
    return shared;
  };
  const pump = (tab: Tab): void => {
    while (tabs.has(tab.stream) && !tab.stream.isFull()) {
      if (tab.read !== undefined && tab.position < tab.read.position) writePiece(tab, tab.read);
      else if (!takeMore(tab, readFrom(tab.position))) return;
    }
  };
  return {
    attach: (stream, from) => {
      const tab: Tab = {
        stream,
        position: from,
        read: undefined,
        hasCaughtUp: false,
        damagedAt: undefined,
      };
      tabs.set(stream, tab);
      stream.write([...told.values()].join(''));
      stream.onDrain(() => pump(tab));
      pump(tab);
    },
    detach: (stream) => void tabs.delete(stream),
    isEmpty: () => tabs.size === 0,
    advance: () => {
      for (const tab of tabs.values()) pump(tab);
    },
    tell: (line) => {
      const text = streamLineOf(line);
      if (told.get(line.type) === text) return;
      told.set(line.type, text);
      for (const { stream } of tabs.values()) stream.write(text);
    },
  };
}

interface Reading {
  readonly from: number;
  readonly shared: LogRead | undefined;
  /** Is told what was read. */
  readonly note: (texts: readonly EventText[]) => void;
}

function readLogOf({ store }: OpenProject, run: string, { from, shared, note }: Reading): LogRead {
  const end = store.endOf(run);
  // Nothing to read, or a position past the end, which the store would take for a log that was shortened.
  if (end <= from) return { from, pieces: [], position: from, end, failure: undefined };
  if (shared?.from === from && shared.end === end) return shared;
  const { texts, position, failure } = store.textsFrom(run, from, PAGE_EVENTS);
  note(texts);
  return {
    from,
    pieces: piecesOf(texts, from),
    position,
    end: Math.max(end, position),
    failure: failure === undefined ? undefined : { code: 'store', failure },
  };
}

const unreadable = (from: number, failure: WebError): LogRead => ({
  from,
  pieces: [],
  position: from,
  end: from,
  failure,
});

function piecesOf(texts: readonly EventText[], from: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let lines = '';
  for (const [index, { json }] of texts.entries()) {
    const position = from + index + 1;
    lines += eventLine(position, json);
    if (lines.length < PIECE_CHARS && index < texts.length - 1) continue;
    pieces.push({ bytes: Buffer.from(lines), position });
    lines = '';
  }
  return pieces;
}

function writePiece(tab: Tab, { pieces, position: end }: LogRead): void {
  const piece = pieces.find(({ position }) => position > tab.position);
  tab.position = piece?.position ?? end;
  if (piece !== undefined) tab.stream.write(piece.bytes);
}

/** Whether there is more to write. Tells the tab that it has reached the end, whole or damaged. */
function takeMore(tab: Tab, read: LogRead): boolean {
  const { stream } = tab;
  tab.read = read.pieces.length === 0 ? undefined : read;
  if (tab.read !== undefined) return true;
  if (read.failure !== undefined) {
    if (tab.damagedAt === read.end) return false;
    tab.damagedAt = read.end;
    stream.write(streamLineOf({ type: 'damaged', position: tab.position, code: 'store', failure: read.failure }));
    return false;
  }
  if (!tab.hasCaughtUp) stream.write(streamLineOf({ type: 'caught-up', position: read.end }));
  else if (read.end < tab.position && tab.damagedAt !== read.end) {
    // This tab has seen the log longer than it is.
    tab.damagedAt = read.end;
    const code = read.end === 0 ? 'run-gone' : 'log-shortened';
    stream.write(streamLineOf({ type: 'damaged', position: read.end, code }));
  }
  tab.hasCaughtUp = true;
  return false;
}
