// How long owners have been silent, by the clock of this process: their own clocks may be off.
import type { Clock } from '../ports/clock.ts';
import type { Holder } from '../ports/engine.ts';

export interface SilenceMeter {
  /** Milliseconds since this owner was first seen with this beat. */
  readonly silence: (run: string, holder: Pick<Holder, 'epoch' | 'beats'>) => number;
  /** Counting begins anew: while the engine could not be reached its owners could not be heard. */
  readonly restart: () => void;
}

interface Heard {
  readonly epoch: number;
  readonly beats: number;
  readonly at: number;
}

export function silenceMeter(clock: Pick<Clock, 'monotonic'>): SilenceMeter {
  const heard = new Map<string, Heard>();
  return {
    silence: (run, { epoch, beats }) => {
      const now = clock.monotonic();
      const last = heard.get(run);
      if (last !== undefined && last.epoch === epoch && last.beats === beats) return now - last.at;
      heard.set(run, { epoch, beats, at: now });
      return 0;
    },
    restart: () => heard.clear(),
  };
}
