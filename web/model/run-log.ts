// The whole log of a run in memory, and the state at any position of it.
//
// run-log/R1. The state at a position is the fold of the events before it, by the coordinator's own `apply`.
// run-log/R2. A jump costs one copy and at most a stride of events; a step forward costs one event.
// run-log/R3. A state that was handed out is valid until the next call: `apply` consumes the state it is given.
// run-log/R4. The number of keyframes is bounded, whatever the length of the log: the stride doubles instead.
import type { RunEvent } from '../../src/core/engine/event.ts';
import { apply } from '../../src/core/engine/apply/apply.ts';
import { stateAfterStart } from '../../src/core/engine/apply/fold.ts';
import { copyState } from '../../src/core/engine/copy-state.ts';
import type { State } from '../../src/core/engine/state.ts';

export interface RunLog {
  /** The position is the number of events before it: the state at `events.length` is the latest. */
  readonly events: readonly RunEvent[];
  readonly append: (event: RunEvent) => void;
  /** Undefined before the first event. A position past the end counts as the end. */
  readonly stateAt: (position: number) => State | undefined;
  /** The same beside it, for a glance at another position: it does not end the validity of what `stateAt` handed out. */
  readonly glanceAt: (position: number) => State | undefined;
}

interface Keyframe {
  readonly position: number;
  readonly state: State;
}

/** A copy of a large state costs as much as some thousand events. */
const STRIDE_MIN = 8192;
const KEYFRAMES_MAX = 16;

export function openRunLog({ strideMin = STRIDE_MIN } = {}): RunLog {
  const events: RunEvent[] = [];
  let latest: State | undefined;
  let keyframes: readonly Keyframe[] = [];
  let stride = strideMin;

  const keep = (position: number, state: State): void => {
    keyframes = [...keyframes, { position, state: copyState(state) }];
    if (keyframes.length <= KEYFRAMES_MAX) return;
    stride *= 2;
    keyframes = keyframes.filter((each) => each.position === 1 || each.position % stride === 0);
  };

  const append = (event: RunEvent): void => {
    if (latest === undefined) {
      if (event.type !== 'run.started') return;
      latest = stateAfterStart(event);
      keyframes = [{ position: 1, state: copyState(latest) }];
    } else apply(latest, event);
    events.push(event);
    if (events.length % stride === 0) keep(events.length, latest);
  };

  const nearest = (position: number, cursor: Keyframe | undefined): Keyframe | undefined => {
    const before = keyframes.findLast((each) => each.position <= position);
    const isAhead = cursor !== undefined && cursor.position <= position && cursor.position >= (before?.position ?? 0);
    if (isAhead) return cursor;
    return before === undefined ? undefined : { position: before.position, state: copyState(before.state) };
  };

  /** A reader that holds the state it looks at, which is moved along with it. */
  const openCursor = (): RunLog['stateAt'] => {
    let cursor: Keyframe | undefined;
    return (position) => {
      if (latest === undefined || position >= events.length) return latest;
      const from = nearest(Math.max(1, position), cursor);
      if (from === undefined) return undefined;
      for (let at = from.position; at < position; at += 1) {
        const event = events[at];
        if (event !== undefined) apply(from.state, event);
      }
      cursor = { position: Math.max(from.position, position), state: from.state };
      return from.state;
    };
  };

  return { events, append, stateAt: openCursor(), glanceAt: openCursor() };
}
