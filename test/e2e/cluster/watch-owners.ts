// Watches who owns which run on an engine, from outside of every part: how long a run has no owner after its owner was struck.
import { setTimeout } from 'node:timers/promises';
import type { Head } from '../../../src/shell/ports/engine.ts';

export interface Watch {
  /** The owner of every run that it has at this moment is struck: a time counts for each that another owner takes. */
  readonly struck: (pid: number) => void;
  /** From the strike until another owner has the run. */
  readonly takeovers: readonly number[];
  readonly stop: () => void;
}

interface Struck {
  readonly epoch: number;
  readonly at: number;
}

const LOOK_EVERY_MS = 100;

export function watchOwners(heads: () => Promise<readonly Head[]>): Watch {
  const struck = new Map<string, Struck>();
  const takeovers: number[] = [];
  let latest: readonly Head[] = [];
  const ending = new AbortController();
  const look = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        latest = await heads();
      } catch {
        // The engine may be what was struck: what waits for it is no takeover.
        struck.clear();
      }
      for (const { run, holder } of latest) {
        const before = struck.get(run);
        if (before === undefined || holder === undefined) continue;
        if (holder.isGone) struck.delete(run);
        if (holder.epoch === before.epoch) continue;
        takeovers.push(performance.now() - before.at);
        struck.delete(run);
      }
      await setTimeout(LOOK_EVERY_MS);
    }
  };
  void look();
  return {
    struck: (pid) => {
      const at = performance.now();
      for (const { run, holder } of latest)
        if (holder !== undefined && !holder.isGone && holder.who.includes(`"pid":${pid},`))
          struck.set(run, { epoch: holder.epoch, at });
    },
    takeovers,
    stop: () => ending.abort(),
  };
}
