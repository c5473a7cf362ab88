// The last event of a run with delivered notifications, in a file beside the run's attempts.
//
// notification-note/Y1. The note is never ahead: a notification in delivery holds it back.
// notification-note/Y2. A lost or damaged note costs duplicate notifications and nothing else.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface NotificationNote {
  /** Whether the notification of this event is still to be delivered. */
  readonly isNews: (event: number) => boolean;
  /** Called before delivery; the returned function is called after it. */
  readonly begin: (event: number) => () => void;
}

export function openNote(file: string): NotificationNote {
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
    // Nothing was delivered yet, or the note is damaged.
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
    // The log reports a full disk; here it only means that a notification may be repeated.
    return false;
  }
}
