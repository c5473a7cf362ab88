// The replay bar of every page of a run: the whole log, the position that is looked at, and the ways through it.
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { formatDuration } from '../../src/core/view/chart/format.ts';
import { followMarks, MARKS, nextMark, type LogMark, type MarkType } from '../model/log-marks.ts';
import { timeAxis } from '../model/time-axis.ts';
import { CopyAsCli } from '../parts/copy-as-cli.tsx';
import { Icon } from '../parts/icons.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { ReplayStrip } from './replay-strip.tsx';
import { SPEEDS, usePlayback, type Playback } from './use-playback.ts';

/** Steps of the slider; finer than any screen. */
const STEPS = 10_000;
const ADDRESS_AFTER_MS = 300;

const MARK_SIGNS: Readonly<Record<MarkType, string>> = { failure: '✗', question: '?', merge: '✓', amendment: '✎' };
const MARK_KEYS: Readonly<Record<MarkType, string>> = { failure: 'f', question: 'q', merge: 'm', amendment: 'a' };

export function ReplayBar(): ReactNode {
  const { run, events, length, position, isLive, awaited, state, status, now } = useRunView();
  const seek = useSeek();
  const [speed, setSpeed] = useState<number>(100);
  // The log grows in place, so its length says whether it changed.
  const axis = useMemo(() => timeAxis(events.slice(0, length)), [events, length]);
  const [follow] = useState(followMarks);
  const marks = useMemo(() => follow(events.slice(0, length), state.compiled), [follow, events, length, state]);
  const playback = usePlayback({ axis, position, speed, onSeek: seek });
  const step = (by: number): void => seek(Math.max(1, Math.min(length, position + by)));
  useReplayKeys({ marks, playback, step, seek });
  const clock = formatDuration(Math.max(0, (isLive ? now : state.run.now) - status.startedAt));
  const words = `${clock} after the start, event ${position} of ${length}: ${events[position - 1]?.type ?? ''}`;
  return (
    <section className={isLive ? 'replay' : 'replay replay-past'} aria-label="Replay">
      <Controls playback={playback} step={step} speed={speed} onSpeed={setSpeed} />
      <div className="replay-track">
        <ReplayStrip axis={axis} marks={marks} />
        <input
          type="range"
          min={0}
          max={STEPS}
          value={isLive ? STEPS : Math.round(axis.shareOf(position) * STEPS)}
          aria-label="Position in the log"
          aria-valuetext={words}
          onKeyDown={(event) => onArrow(event, step)}
          onChange={(event) => {
            const share = Number(event.target.value) / STEPS;
            seek(share >= 1 ? undefined : axis.positionAt(share));
          }}
        />
      </div>
      <Jumps marks={marks} from={isLive ? 0 : position} seek={seek} />
      <p className="replay-clock" title={words}>
        {clock} <span className="quiet">{isLive ? `${length} events` : `${position} of ${length}`}</span>
        {awaited !== undefined && <span className="text-warn"> waits for event {awaited}</span>}
        {!isLive && <CopyAsCli command={`heddle status ${run} --at ${position}`} isShort />}
      </p>
      <button
        type="button"
        className={isLive ? 'button live' : 'button primary'}
        aria-pressed={isLive}
        onClick={() => seek(undefined)}
      >
        <span aria-hidden="true">●</span> {status.stage === 'ended' && isLive ? 'End' : 'Live'}
      </button>
    </section>
  );
}

/** Arrows go by events, and not by steps of the slider. */
function onArrow(event: KeyboardEvent, step: (by: number) => void): void {
  const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  step(by);
}

interface ReplayKeys {
  readonly marks: readonly LogMark[];
  readonly playback: Playback;
  readonly step: (by: number) => void;
  readonly seek: (position: number | undefined) => void;
}

function useReplayKeys({ marks, playback, step, seek }: ReplayKeys): void {
  const { position } = useRunView();
  const jump = (type: MarkType, by: 1 | -1): void => {
    const next = nextMark(marks, type, { from: position, by });
    if (next !== undefined) seek(next);
  };
  useKeys({
    ' ': playback.toggle,
    '[': () => step(-1),
    ']': () => step(1),
    l: () => seek(undefined),
    ...Object.fromEntries(
      MARKS.flatMap((type) => [
        [MARK_KEYS[type], () => jump(type, 1)],
        [MARK_KEYS[type].toUpperCase(), () => jump(type, -1)],
      ]),
    ),
  });
}

interface ControlsProps {
  readonly playback: Playback;
  readonly step: (by: number) => void;
  readonly speed: number;
  readonly onSpeed: (speed: number) => void;
}

const Controls = ({ playback, step, speed, onSpeed }: ControlsProps): ReactNode => (
  <div className="replay-controls">
    <button
      type="button"
      className="quiet-button"
      onClick={playback.toggle}
      aria-label={playback.isPlaying ? 'Pause' : 'Play'}
      title="Space"
    >
      <Icon name={playback.isPlaying ? 'pause' : 'play'} />
    </button>
    <button type="button" className="quiet-button" onClick={() => step(-1)} aria-label="One event back" title="[">
      <Icon name="back" />
    </button>
    <button type="button" className="quiet-button" onClick={() => step(1)} aria-label="One event on" title="]">
      <Icon name="on" />
    </button>
    <select
      className="field"
      aria-label="Speed"
      value={speed}
      onChange={(event) => onSpeed(Number(event.target.value))}
    >
      {SPEEDS.map((each) => (
        <option key={each} value={each}>
          {each}×
        </option>
      ))}
    </select>
  </div>
);

interface JumpsProps {
  readonly marks: readonly LogMark[];
  readonly from: number;
  readonly seek: (position: number) => void;
}

const Jumps = ({ marks, from, seek }: JumpsProps): ReactNode => (
  <div className="replay-jumps" role="group" aria-label="Next">
    {MARKS.map((type) => {
      const next = nextMark(marks, type, { from, by: 1 });
      return (
        <button
          key={type}
          type="button"
          className={`quiet-button mark-${type}`}
          disabled={next === undefined}
          onClick={() => next !== undefined && seek(next)}
          aria-label={`Next ${type}`}
          title={`Next ${type} (${MARK_KEYS[type]})`}
        >
          {MARK_SIGNS[type]}
        </button>
      );
    })}
  </div>
);

/** Moves the run at once, and the address when the slider rests. */
function useSeek(): (position: number | undefined) => void {
  const { seek, go } = useApp();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (position) => {
    seek(position);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => go({ at: position }, 'replace'), ADDRESS_AFTER_MS);
  };
}
