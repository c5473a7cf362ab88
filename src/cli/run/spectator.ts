// What a run looks like to whoever attends it: JSON lines for programs, the live view for a person at a
// terminal, and plain lines when piped away or put into the background.
import type { RunEvent } from '../../core/engine/event.ts';
import { followProgress, type Progress } from '../../core/view/run/progress.ts';
import { isInForeground } from '../live/is-in-foreground.ts';
import { progressLine } from '../text/progress-line.ts';
import { endLines } from '../text/run-end-text.ts';
import type { Terminal } from '../terminal.ts';
import type { Audience } from './audience.ts';
import type { Coordinated } from './coordinate.ts';
import { liveSpectator, type Seat } from './live-spectator.ts';

interface Wanted {
  readonly json: boolean;
  readonly plain: boolean;
}

export function spectatorFor(terminal: Terminal, { json, plain }: Wanted, seat: Seat): Audience {
  if (json) return jsonSpectator(terminal);
  const isLive = !plain && terminal.isInteractive && isInForeground();
  return isLive ? liveSpectator(terminal, seat) : plainSpectator(terminal);
}

/** Of events alone a program cannot see why nobody carries the run out any more, so that is said beside them. */
function jsonSpectator(terminal: Terminal): Audience {
  let run = '';
  const spectator = lineSpectator(terminal, {
    tellsStart: true,
    lineOf: (progress) => JSON.stringify(progress),
    ends: ({ over }) => {
      if (over.type === 'ended') return;
      const lines = endLines(terminal, { run, over });
      // Where the run stands the events tell; what to do next only the last line does.
      const isTold = over.type === 'stopped' || over.type === 'waiting';
      for (const line of isTold ? lines.slice(-1) : lines) terminal.err(`heddle: ${line}`);
    },
  });
  return {
    ...spectator,
    begins: (record, compiled, past) => {
      ({ run } = record);
      spectator.begins(record, compiled, past);
    },
  };
}

export function plainSpectator(terminal: Terminal): Audience {
  let run = '';
  let startedAt = 0;
  const spectator = lineSpectator(terminal, {
    tellsStart: false,
    lineOf: (progress) => progressLine(terminal, progress, { startedAt }),
    ends: (coordinated) => terminal.out(endLines(terminal, { run, ...coordinated }).join('\n')),
  });
  return {
    ...spectator,
    begins: (record, compiled, past) => {
      ({ run, createdAt: startedAt } = record);
      terminal.out(`${run}: ${record.file}`);
      spectator.begins(record, compiled, past);
    },
  };
}

interface Lines {
  /** A run is begun before anybody attends it, and whoever reads every event is to read that one too. */
  readonly tellsStart: boolean;
  readonly lineOf: (progress: Progress) => string | undefined;
  readonly ends: (coordinated: Coordinated) => void;
}

function lineSpectator(terminal: Terminal, { tellsStart, lineOf, ends }: Lines): Audience {
  let follow: ((event: RunEvent) => Progress) | undefined;
  const linesOf = (events: readonly RunEvent[]): readonly string[] =>
    events.flatMap((event) => {
      const progress = follow?.(event);
      return (progress === undefined ? undefined : lineOf(progress)) ?? [];
    });
  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) terminal.out(lines.join('\n'));
  };
  return {
    begins: ({ run }, compiled, past) => {
      follow = followProgress(run, compiled);
      const events = past();
      const lines = linesOf(events);
      if (tellsStart && events.length === 1) print(lines);
    },
    sees: (events) => print(linesOf(events)),
    hears: (message) => terminal.err(message),
    ends,
    close: () => {},
  };
}
