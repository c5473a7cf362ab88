// A run as it is seen from this terminal: JSON for programs, lines when piped or in the background, else the live view.
import type { RunEvent } from '../../core/engine/event.ts';
import { followProgress, type Progress } from '../../core/view/run/progress.ts';
import { noteText } from '../text/note-text.ts';
import { rowOf } from '../text/rows.ts';
import { progressRow } from '../../core/view/text/progress-text.ts';
import { endLines } from '../text/run-end-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Observer } from '../../app/run/observer.ts';
import type { Coordinated } from '../../app/run/coordinate.ts';
import type { Command } from '../../core/engine/command.ts';
import type { RunRecord, OpenProject } from '../../app/open-project.ts';
import { act } from '../live/act.ts';
import { openLive, type Live } from '../live/live.ts';

/** An observer that stays until the run is over. */
export interface TerminalObserver extends Observer {
  /** Called after `close`. */
  readonly onEnd: (coordinated: Coordinated) => void;
  /** Leaves the terminal as it was found, as soon as no pager has it. */
  readonly close: () => Promise<void>;
}

/** Events do not contain why a run has no coordinator any more, so standard error does. */
export function jsonObserver(terminal: Terminal): TerminalObserver {
  let run = '';
  const observer = lineObserver(terminal, {
    tellsStart: true,
    lineOf: (progress) => JSON.stringify(progress),
    onEnd: (coordinated) => {
      const { over } = coordinated;
      if (over.type === 'ended') return;
      const lines = endLines(terminal, { run, ...coordinated });
      // Events contain the state of the run; only the last line contains the next command.
      const isTold = over.type === 'stopped' || over.type === 'waiting';
      for (const line of isTold ? lines.slice(-1) : lines) terminal.err(`heddle: ${line}`);
    },
  });
  return {
    ...observer,
    onStart: (record, compiled, past) => {
      ({ run } = record);
      observer.onStart(record, compiled, past);
    },
  };
}

export function plainObserver(terminal: Terminal): TerminalObserver {
  let run = '';
  let startedAt = 0;
  const observer = lineObserver(terminal, {
    tellsStart: false,
    lineOf: (progress) => {
      const row = progressRow(progress, { startedAt });
      // Lines are not cut: piped output has no width.
      return row === undefined ? undefined : rowOf({ colour: terminal.colour, width: Infinity }, row);
    },
    onEnd: (coordinated) => terminal.out(endLines(terminal, { run, ...coordinated }).join('\n')),
  });
  return {
    ...observer,
    onStart: (record, compiled, past) => {
      ({ run, createdAt: startedAt } = record);
      terminal.out(`${run}: ${record.file}`);
      observer.onStart(record, compiled, past);
    },
  };
}

interface Lines {
  /** The first event is in the log before anything observes the run, and a reader of all events must see it too. */
  readonly tellsStart: boolean;
  readonly lineOf: (progress: Progress) => string | undefined;
  readonly onEnd: (coordinated: Coordinated) => void;
}

function lineObserver(terminal: Terminal, { tellsStart, lineOf, onEnd }: Lines): TerminalObserver {
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
    onStart: ({ run }, compiled, past) => {
      follow = followProgress(run, compiled);
      const events = past();
      const lines = linesOf(events);
      if (tellsStart && events.length === 1) print(lines);
    },
    onEvents: (events) => print(linesOf(events)),
    onNote: (note) => terminal.err(noteText(note)),
    onEnd,
    close: () => Promise.resolve(),
  };
}

interface Attached {
  readonly open: OpenProject;
  /** Whether this process is the run's coordinator. */
  readonly isOurs: boolean;
}

/** The live view, and a summary at its end. */
export function liveObserver(terminal: Terminal, { open, isOurs }: Attached): TerminalObserver {
  let live: Live | undefined;
  let record: RunRecord | undefined;
  let hasGone = false;
  let ring = (): void => undefined;
  return {
    onStart: (begun, compiled, past) => {
      record = begun;
      const post = (command: Command): Promise<string> =>
        act({ open, record: begun, hasGone: () => hasGone, ring: () => ring() }, command);
      // Leaving the view has the effect of Ctrl-C.
      const onLeave = (): void => void process.kill(process.pid, 'SIGINT');
      live = openLive({ terminal, open, record: begun, compiled, past: past(), isOurs, post, onLeave });
    },
    onEvents: (events, state) => live?.onEvents(events, state),
    onNote: (note) => live?.showMessage(noteText(note)),
    onLoop: (ringLoop) => {
      ring = ringLoop;
    },
    onEnd: (coordinated) => terminal.out(endLines(terminal, { run: record?.run ?? '', ...coordinated }).join('\n')),
    close: async () => {
      hasGone = true;
      await live?.close();
    },
  };
}
