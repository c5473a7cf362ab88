// The timers of a host: callbacks by name, each with a due time, and a single system timer for the earliest of them.
// However many workers there are, a host sleeps while nothing is due.
import type { Clock } from '../ports/clock.ts';

export interface Timers<Name extends string> {
  /** Calls the callback within `ms`; an earlier due time stays. */
  readonly within: (name: Name, ms: number) => void;
  readonly cancel: (name: Name) => void;
  readonly close: () => void;
}

export function startTimers<Name extends string>(
  clock: Clock,
  callbacks: Readonly<Record<Name, () => void>>,
): Timers<Name> {
  const dueAt = new Map<Name, number>();
  let alarm: NodeJS.Timeout | undefined;
  let alarmAt = Infinity;
  let isClosed = false;
  const arm = (): void => {
    const earliest = Math.min(...dueAt.values());
    if (isClosed || earliest >= alarmAt) return;
    clearTimeout(alarm);
    alarmAt = earliest;
    alarm = setTimeout(ring, Math.max(0, Math.ceil(earliest - clock.monotonic())));
  };
  const ring = (): void => {
    alarmAt = Infinity;
    const now = clock.monotonic();
    const due = [...dueAt]
      .filter(([, at]) => at <= now)
      .sort(([, one], [, other]) => one - other)
      .map(([name]) => name);
    for (const name of due) dueAt.delete(name);
    for (const name of due) if (!isClosed) callbacks[name]();
    arm();
  };
  return {
    within: (name, ms) => {
      dueAt.set(name, Math.min(dueAt.get(name) ?? Infinity, clock.monotonic() + ms));
      arm();
    },
    cancel: (name) => {
      dueAt.delete(name);
    },
    close: () => {
      isClosed = true;
      clearTimeout(alarm);
    },
  };
}
