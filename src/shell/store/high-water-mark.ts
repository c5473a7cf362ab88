// The folder of one run beside the store, and the two small files there that are not in the database: the beat of the
// coordinator and the witness of the log.
//
// N1. The witness is written after the commit, so it is never ahead of the log; a log that is behind it was shortened
//     or replaced. It is not forced to the disk: after a loss of power it may be behind, which says nothing wrong.
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

/** Folders of tasks stand beside these files, and no task has a name that begins like theirs. */
const runFolder = (home: string, run: string): string => join(home, 'runs', run);
const witnessFile = (home: string, run: string): string => join(runFolder(home, run), '@witness');
const beatFile = (home: string, run: string): string => join(runFolder(home, run), '@coordinator');

/** What was last seen committed: the position after the last event, and the checksum of that event. */
export interface Witness {
  readonly position: number;
  readonly checksum: string;
}

export const witnessText = ({ position, checksum }: Witness): string => {
  const text = `${position} ${checksum}`;
  return `${text} ${hash('sha256', text, 'hex').slice(0, 8)}`;
};

/** One write of a fixed length, over the one before. */
export function writeWitness(home: string, run: string, witness: Witness): void {
  const line = `${witnessText(witness).padEnd(WITNESS_BYTES - 1)}\n`;
  const descriptor = openMaking(home, run, witnessFile(home, run));
  try {
    writeSync(descriptor, line, 0);
  } finally {
    closeSync(descriptor);
  }
}

const WITNESS_BYTES = 80;

/** Undefined when there is none or it was torn by a crash of the machine. */
export function readWitness(home: string, run: string): Witness | undefined {
  let text: string;
  try {
    text = readFileSync(witnessFile(home, run), 'utf8').trim();
  } catch {
    return undefined;
  }
  const [position = '', checksum = ''] = text.split(' ');
  const witness = { position: Number(position), checksum };
  return witnessText(witness) === text ? witness : undefined;
}

/** Runs that have left a witness here. */
export function witnessedRuns(home: string): readonly string[] {
  try {
    const names = readdirSync(join(home, 'runs'));
    return names.filter((run) => readWitness(home, run) !== undefined);
  } catch {
    return [];
  }
}

export const hasRunFolder = (home: string, run: string): boolean =>
  statSync(runFolder(home, run), { throwIfNoEntry: false }) !== undefined;

export function beat(home: string, run: string, now: number): void {
  closeSync(openMaking(home, run, beatFile(home, run)));
  utimesSync(beatFile(home, run), now / 1000, now / 1000);
}

/** When the coordinator last showed that it lives. */
export const lastBeat = (home: string, run: string): number | undefined =>
  statSync(beatFile(home, run), { throwIfNoEntry: false })?.mtimeMs;

function openMaking(home: string, run: string, file: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT;
  try {
    return openSync(file, flags, 0o644);
  } catch {
    mkdirSync(runFolder(home, run), { recursive: true });
    return openSync(file, flags, 0o644);
  }
}
