// What a run looks like to whoever started it: JSON lines for programs, plain lines when piped.
import type { Compiled } from '../../core/compile/compiled.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { followProgress } from '../../core/view/run/progress.ts';
import type { RunRecord } from '../../shell/ports.ts';
import type { Terminal } from '../terminal.ts';
import type { Coordinated, Spectator } from './coordinate.ts';

export interface Audience extends Spectator {
  readonly ends: (coordinated: Coordinated) => void;
  readonly close: () => void;
}

export interface Seat {
  readonly json: boolean;
  readonly home: string;
}

export function spectatorFor(terminal: Terminal, { json }: Seat): Audience {
  void json;
  return jsonLines(terminal);
}

function jsonLines(terminal: Terminal): Audience {
  let tell: ((event: RunEvent) => unknown) | undefined;
  return {
    begins: ({ run }: RunRecord, compiled: Compiled, past) => {
      tell = followProgress(run, compiled);
      for (const event of past()) tell(event);
    },
    sees: (events) => {
      for (const event of events) terminal.out(JSON.stringify(tell?.(event)));
    },
    hears: (message) => terminal.err(message),
    ends: () => {},
    close: () => {},
  };
}
