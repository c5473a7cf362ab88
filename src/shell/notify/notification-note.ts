// Up to which event of its log people were told of a run, in a file beside its attempts.
//
// notification-note/Y1. It never says more than was told: a notice that is under way holds it back.
// notification-note/Y2. A note that is lost or spoilt costs a notice told twice and nothing else.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Note {
  /** Whether a notice that this event brought is still to be told. */
  readonly isNews: (event: number) => boolean;
  /** To be called before it is told; what comes back, after. */
  readonly begin: (event: number) => () => void;
}

export function openNote(file: string): Note {
  const before = read(file);
  const begun = new Map<number, number>();
  let highest = before;
  let written = before;
  const settle = (): void => {
    const toldTo = begun.size === 0 ? highest : Math.min(...begun.keys()) - 1;
    if (toldTo <= written) return;
    written = toldTo;
    write(file, toldTo);
  };
  return {
    isNews: (event) => event > before,
    begin: (event) => {
      highest = Math.max(highest, event);
      begun.set(event, (begun.get(event) ?? 0) + 1);
      return () => {
        const left = (begun.get(event) ?? 1) - 1;
        if (left === 0) begun.delete(event);
        else begun.set(event, left);
        settle();
      };
    },
  };
}

function read(file: string): number {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const event: unknown = typeof value === 'object' && value !== null && 'event' in value ? value.event : undefined;
    return typeof event === 'number' && Number.isSafeInteger(event) ? event : 0;
  } catch {
    // Nobody was told anything yet, or the note was spoilt.
    return 0;
  }
}

function write(file: string, event: number): boolean {
  const aside = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(aside, `${JSON.stringify({ event })}\n`);
    renameSync(aside, file);
    return true;
  } catch {
    // A disk that is full is told of by the log; here it only means that something may be told twice.
    return false;
  }
}
