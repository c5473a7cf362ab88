// How far the spans of a run were delivered: the number of an event, in a file beside the run's attempts.
//
// exported-note/N1. The note is never ahead of the collector. A lost or damaged note costs spans that are sent twice, which
//     are equal to those before, and nothing else.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The number of events whose spans were delivered. */
export function readExported(file: string): number {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const events: unknown = typeof value === 'object' && value !== null && 'events' in value ? value.events : undefined;
    return typeof events === 'number' && Number.isSafeInteger(events) && events > 0 ? events : 0;
  } catch {
    // Nothing was delivered yet, or the note is damaged.
    return 0;
  }
}

export function writeExported(file: string, events: number): void {
  const aside = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(aside, `${JSON.stringify({ events })}\n`);
    renameSync(aside, file);
  } catch {
    // The log reports a full disk; here it only means that spans may be sent twice.
  }
}
