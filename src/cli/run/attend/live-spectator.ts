// The view of a run for a person at a terminal: a few rows, painted over again and again, and a report at the end.
//
// N1. Painting is paced by what it costs, so that a plan of ten thousand tasks is not slowed down by being watched.
// N2. However it ends, the cursor is shown again.
import { statusOf } from '../../../core/view/run/status.ts';
import type { State } from '../../../core/engine/state.ts';
import type { RunRecord } from '../../../shell/ports.ts';
import { liveView } from '../../report/live-view.ts';
import { foldedRow } from '../../report/run/pieces.ts';
import { endLines } from '../../report/run-end-text.ts';
import type { Terminal } from '../../terminal.ts';
import { CLOCK } from '../../wire.ts';
import type { Audience } from './audience.ts';

const PAINT_EVERY_MS = 150;
/** Share of the time that painting may take. */
const PAINT_SHARE = 0.05;
const HIDE_CURSOR = '\u001B[?25l';
const SHOW_CURSOR = '\u001B[?25h';
const CLEAR_BELOW = '\u001B[J';
const up = (rows: number): string => (rows === 0 ? '\r' : `\u001B[${rows}A\r`);

export function liveSpectator(terminal: Terminal): Audience {
  let record: RunRecord | undefined;
  let state: State | undefined;
  let painted = 0;
  let message: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const erase = (): string => {
    const text = `${up(painted)}${CLEAR_BELOW}`;
    painted = 0;
    return text;
  };
  const paint = (): void => {
    const from = performance.now();
    if (record !== undefined && state !== undefined) {
      const now = Math.max(CLOCK.now(), state.run.now);
      const status = statusOf(state, { now, given: { inputs: record.inputs, env: {} } });
      const { width, height } = terminal.size();
      const { colour } = terminal;
      const said = message === undefined ? [] : foldedRow({ width, colour }, [message]);
      // A row is kept for what the run has to say to the person.
      const screen = { width, height: height - Math.max(1, said.length), colour };
      const lines = [...liveView(status, { run: record.run, screen }), ...said];
      terminal.write(`${erase()}${lines.join('\n')}\n`);
      painted = lines.length;
    }
    timer = setTimeout(paint, Math.max(PAINT_EVERY_MS, (performance.now() - from) / PAINT_SHARE)).unref();
  };
  const close = (): void => {
    clearTimeout(timer);
    process.off('exit', close);
    terminal.write(SHOW_CURSOR);
  };
  return {
    begins: (begun) => {
      record = begun;
      terminal.write(HIDE_CURSOR);
      process.on('exit', close);
      paint();
    },
    sees: (_, seen) => {
      state = seen;
    },
    hears: (heard) => {
      message = heard;
    },
    ends: (coordinated) => {
      clearTimeout(timer);
      const run = record?.run ?? '';
      terminal.write(`${erase()}${endLines(terminal, { run, ...coordinated }).join('\n')}\n`);
    },
    close,
  };
}
