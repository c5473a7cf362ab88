import { statusOf } from '../../core/view/run/status.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { chooseRun } from '../run/choose-run.ts';
import { foldRun } from '../run/fold-run.ts';
import { openHere } from '../run/open-store.ts';
import type { Terminal } from '../terminal.ts';
import { CLOCK } from '../wire.ts';

export interface StatusFlags {
  readonly all: boolean;
  readonly json: boolean;
}

/** `heddle status`: where a run stands, whether or not its coordinator is up. */
export function status(terminal: Terminal, run: string | undefined, _flags: StatusFlags): ExitCode {
  const { store } = openHere('read');
  const record = chooseRun(store, run);
  const { state } = foldRun(store, record);
  const now = Math.max(CLOCK.now(), state.run.now);
  terminal.out(
    JSON.stringify(
      { run: record.run, ...statusOf(state, { now, given: { inputs: record.inputs, env: {} } }) },
      undefined,
      2,
    ),
  );
  store.close();
  return EXIT.done;
}
