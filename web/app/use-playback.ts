// Plays the log: so many seconds of the run in each second, idle gaps as short as they are on the axis.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { TimeAxis } from '../model/time-axis.ts';

export const SPEEDS = [1, 10, 100, 1000] as const;

interface Playing {
  readonly axis: TimeAxis;
  readonly position: number;
  readonly speed: number;
  /** Undefined is the end of the log. */
  readonly onSeek: (position: number | undefined) => void;
}

export interface Playback {
  readonly isPlaying: boolean;
  readonly toggle: () => void;
}

export function usePlayback({ axis, position, speed, onSeek }: Playing): Playback {
  const [isPlaying, setPlaying] = useState(false);
  const latest = useRef({ axis, position, onSeek });
  useEffect(() => {
    latest.current = { axis, position, onSeek };
  });
  useEffect(() => {
    if (!isPlaying) return undefined;
    let share = latest.current.axis.shareOf(latest.current.position);
    let before = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const { axis: current, onSeek: seek } = latest.current;
      share += ((now - before) * speed) / Math.max(1, current.shownMs);
      before = now;
      if (share >= 1) {
        setPlaying(false);
        seek(undefined);
        return;
      }
      seek(current.positionAt(share));
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed]);
  const toggle = useCallback(() => {
    const { axis: current, position: at, onSeek: seek } = latest.current;
    // From the end it plays the whole log.
    if (!isPlaying && at >= current.length) {
      latest.current.position = 1;
      seek(1);
    }
    setPlaying(!isPlaying);
  }, [isPlaying]);
  return { isPlaying, toggle };
}
