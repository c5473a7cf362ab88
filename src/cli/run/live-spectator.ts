// The view of a run for the person at the terminal where it is carried out or followed, and a report at the end.
import type { Command } from '../../core/engine/command.ts';
import type { RunRecord } from '../../shell/ports.ts';
import { act } from '../live/act.ts';
import { openLive, type Live } from '../live/live.ts';
import { endLines } from '../text/run-end-text.ts';
import type { Terminal } from '../terminal.ts';
import type { OpenProject } from '../../app/open-project.ts';
import type { Audience } from './audience.ts';

export interface Seat {
  readonly open: OpenProject;
  /** Whether this process carries the run out. */
  readonly isOurs: boolean;
}

export function liveSpectator(terminal: Terminal, { open, isOurs }: Seat): Audience {
  let live: Live | undefined;
  let record: RunRecord | undefined;
  let hasGone = false;
  const close = (): void => {
    hasGone = true;
    live?.close();
  };
  return {
    begins: (begun, compiled, past) => {
      record = begun;
      const post = (command: Command): Promise<string> => act({ open, record: begun, hasGone: () => hasGone }, command);
      // Who follows from here leaves as Ctrl-C would.
      const onLeave = (): void => void process.kill(process.pid, 'SIGINT');
      live = openLive({ terminal, open, record: begun, compiled, past: past(), isOurs, post, onLeave });
    },
    sees: (events, state) => live?.sees(events, state),
    hears: (message) => live?.hears(message),
    ends: (coordinated) => {
      close();
      terminal.out(endLines(terminal, { run: record?.run ?? '', ...coordinated }).join('\n'));
    },
    close,
  };
}
