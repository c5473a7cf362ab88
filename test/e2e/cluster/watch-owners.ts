// Watches who owns which run on an engine, from outside of every part: how long a run has no owner after its owner was struck.
import { setTimeout } from 'node:timers/promises';
import type { Head } from '../../../src/shell/ports/engine.ts';

export interface Watch {
  /**
   * The owner of every run that it has at this moment is struck: a time counts for each that another owner takes. Not for
   * one that waits to be taken already: its next owner may be the one that is struck.
   */
  readonly struck: (pid: number) => void;
  /** From the strike until another owner has the run. */
  readonly takeovers: readonly number[];
  /** From the strike until the engine has what the next owner appended first. */
  readonly appends: readonly number[];
  readonly stop: () => void;
}

interface Struck {
  readonly epoch: number;
  readonly at: number;
  /** How long the log was when another owner had taken the run. */
  readonly end: number | undefined;
}

const LOOK_EVERY_MS = 100;

export function watchOwners(heads: () => Promise<readonly Head[]>): Watch {
  const struck = new Map<string, Struck>();
  const takeovers: number[] = [];
  const appends: number[] = [];
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
      for (const { run, holder, end } of latest) {
        const before = struck.get(run);
        if (before === undefined || holder === undefined) continue;
        const passedMs = performance.now() - before.at;
        if (holder.epoch !== before.epoch && before.end === undefined) {
          takeovers.push(passedMs);
          struck.set(run, { ...before, epoch: holder.epoch, end });
        } else if (before.end !== undefined && end > before.end) {
          appends.push(passedMs);
          struck.delete(run);
        } else if (holder.isGone || holder.epoch !== before.epoch) struck.delete(run);
      }
      await setTimeout(LOOK_EVERY_MS);
    }
  };
  void look();
  return {
    struck: (pid) => {
      const at = performance.now();
      struck.clear();
      for (const { run, holder } of latest)
        if (holder !== undefined && !holder.isGone && holder.who.includes(`"pid":${pid},`))
          struck.set(run, { epoch: holder.epoch, at, end: undefined });
    },
    takeovers,
    appends,
    stop: () => ending.abort(),
  };
}
