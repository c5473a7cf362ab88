// The folder of one run beside the store, and the two small files in it that are not in the database: the heartbeat of
// the coordinator and the high-water mark of the log.
//
// store/N1. The mark is written after the commit, so it is never ahead of the log; a log that is behind its mark was
//     shortened or replaced. The mark is not forced to the disk: after a loss of power it may be behind, which is
//     harmless.
import { hash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeSync,
  constants,
} from 'node:fs';
import { join } from 'node:path';

/** The folders of tasks are beside these files; no task id begins with the character that these names begin with. */
const runFolder = (home: string, run: string): string => join(home, 'runs', run);
const markFile = (home: string, run: string): string => join(runFolder(home, run), '@high-water-mark');
const heartbeatFile = (home: string, run: string): string => join(runFolder(home, run), '@coordinator');

/** The end of the log at its last known commit: the position after the last event, and the checksum of that event. */
export interface HighWaterMark {
  readonly position: number;
  readonly checksum: string;
}

export const markText = ({ position, checksum }: HighWaterMark): string => {
  const text = `${position} ${checksum}`;
  return `${text} ${hash('sha256', text, 'hex').slice(0, 8)}`;
};

/** One write of a fixed length, over the previous mark. */
export function writeHighWaterMark(home: string, run: string, mark: HighWaterMark): void {
  const line = `${markText(mark).padEnd(MARK_BYTES - 1)}\n`;
  const descriptor = openMaking(home, run, markFile(home, run));
  try {
    writeSync(descriptor, line, 0);
  } finally {
    closeSync(descriptor);
  }
}

const MARK_BYTES = 80;

/** Undefined when there is no mark, or a crash of the machine tore it. */
export function readHighWaterMark(home: string, run: string): HighWaterMark | undefined {
  let text: string;
  try {
    text = readFileSync(markFile(home, run), 'utf8').trim();
  } catch {
    return undefined;
  }
  const [position = '', checksum = ''] = text.split(' ');
  const mark = { position: Number(position), checksum };
  return markText(mark) === text ? mark : undefined;
}

/** Runs that have a high-water mark in this folder. */
export function markedRuns(home: string): readonly string[] {
  try {
    const names = readdirSync(join(home, 'runs'));
    return names.filter((run) => readHighWaterMark(home, run) !== undefined);
  } catch {
    return [];
  }
}

export const hasRunFolder = (home: string, run: string): boolean =>
  statSync(runFolder(home, run), { throwIfNoEntry: false }) !== undefined;

export function writeHeartbeat(home: string, run: string, now: number): void {
  closeSync(openMaking(home, run, heartbeatFile(home, run)));
  utimesSync(heartbeatFile(home, run), now / 1000, now / 1000);
}

/** When the coordinator last wrote its heartbeat. */
export const lastHeartbeat = (home: string, run: string): number | undefined =>
  statSync(heartbeatFile(home, run), { throwIfNoEntry: false })?.mtimeMs;

function openMaking(home: string, run: string, file: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT;
  try {
    return openSync(file, flags, 0o644);
  } catch {
    mkdirSync(runFolder(home, run), { recursive: true });
    return openSync(file, flags, 0o644);
  }
}
