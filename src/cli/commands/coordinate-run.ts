import type { ExitCode } from '../exit-code.ts';
import { attend } from '../run/attend.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { openHere } from '../../app/open-project.ts';
import type { Terminal } from '../terminal.ts';

/** `heddle coordinate`: what `run --detach` starts; it stays until the run is over. */
export async function coordinateRun(terminal: Terminal, run: string): Promise<ExitCode> {
  const open = openHere('control');
  const record = chooseRun(open.store, run);
  return await attend(terminal, open, {
    record,
    flags: { json: false, plain: true, waitMs: Infinity, takeOver: false },
  });
}
