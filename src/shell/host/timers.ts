// The one timer of a host: deeds by name, each due at some time, and a single alarm for the earliest of them. However
// many workers there are, a host in which nothing is due sleeps.
import type { Clock } from '../ports.ts';

export interface Timers<Deed extends string> {
  /** The deed is done this soon; a time that was set before and comes earlier stays. */
  readonly within: (deed: Deed, ms: number) => void;
  readonly forget: (deed: Deed) => void;
  readonly close: () => void;
}

export function startTimers<Deed extends string>(
  clock: Clock,
  deeds: Readonly<Record<Deed, () => void>>,
): Timers<Deed> {
  const dueAt = new Map<Deed, number>();
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
      .map(([deed]) => deed);
    for (const deed of due) dueAt.delete(deed);
    for (const deed of due) if (!isClosed) deeds[deed]();
    arm();
  };
  return {
    within: (deed, ms) => {
      dueAt.set(deed, Math.min(dueAt.get(deed) ?? Infinity, clock.monotonic() + ms));
      arm();
    },
    forget: (deed) => {
      dueAt.delete(deed);
    },
    close: () => {
      isClosed = true;
      clearTimeout(alarm);
    },
  };
}
