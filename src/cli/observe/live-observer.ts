// The live view of a run that is coordinated or followed from this terminal, and a summary at its end.
import type { Command } from '../../core/engine/command.ts';
import type { RunRecord, OpenProject } from '../../app/open-project.ts';
import { act } from '../live/act.ts';
import { openLive, type Live } from '../live/live.ts';
import { noteText } from '../text/note-text.ts';
import { endLines } from '../text/run-end-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { TerminalObserver } from './line-observers.ts';

interface Attached {
  readonly open: OpenProject;
  /** Whether this process is the run's coordinator. */
  readonly isOurs: boolean;
}

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
