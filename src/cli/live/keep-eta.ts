// Computes the ETA repeatedly during a run, within a small share of the time.
import type { Compiled } from '../../core/compile/compiled.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { etaOf, type Eta } from '../../core/simulate/eta.ts';

const AGAIN_AFTER_MS = 2_000;
const SHARE = 0.01;

export interface EtaKeeper {
  /** As it was found not long ago; undefined when nothing is known. */
  readonly current: (events: readonly RunEvent[], now: number) => Eta | undefined;
}

/** `earlier` reads the events of earlier runs, once. */
export function keepEta(compiled: Compiled, earlier: () => readonly (readonly RunEvent[])[]): EtaKeeper {
  let known: Eta | undefined;
  let histories: readonly (readonly RunEvent[])[] | undefined;
  let againAt = 0;
  return {
    current: (events, now) => {
      const from = performance.now();
      if (from < againAt) return known;
      known = etaOf({ compiled, events, earlier: () => (histories ??= earlier()), now });
      const tookMs = performance.now() - from;
      againAt = from + Math.max(AGAIN_AFTER_MS, tookMs / SHARE);
      return known;
    },
  };
}
