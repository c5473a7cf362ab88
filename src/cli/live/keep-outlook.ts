// Looks ahead again and again while a run goes on, and never takes more than a small share of the time for it.
import type { Compiled } from '../../core/compile/compiled.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { outlookOf, type Outlook } from './outlook.ts';

/** Beyond this a look ahead would hold up the coordinator that shares our process. */
const TASKS_MAX = 2_000;
const AGAIN_AFTER_MS = 2_000;
const SHARE = 0.01;

export interface OutlookKeeper {
  /** As it was found not long ago; undefined when nothing is known. */
  readonly look: (events: readonly RunEvent[], now: number) => Outlook | undefined;
}

/** `earlier` reads the events of earlier runs, once. */
export function keepOutlook(compiled: Compiled, earlier: () => readonly (readonly RunEvent[])[]): OutlookKeeper {
  let known: Outlook | undefined;
  let histories: readonly (readonly RunEvent[])[] | undefined;
  let againAt = 0;
  return {
    look: (events, now) => {
      const from = performance.now();
      if (compiled.tasks.length > TASKS_MAX || from < againAt) return known;
      histories ??= earlier();
      known = outlookOf({ compiled, events, earlier: histories, now });
      const tookMs = performance.now() - from;
      againAt = from + Math.max(AGAIN_AFTER_MS, tookMs / SHARE);
      return known;
    },
  };
}
