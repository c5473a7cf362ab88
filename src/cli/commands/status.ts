import { statusOf } from '../../core/view/run/status.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { statusLines } from '../text/run-status-text.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { foldRun } from '../../app/fold-run.ts';
import { hasCoordinator } from '../../app/has-coordinator.ts';
import { openHere } from '../../app/open-project.ts';
import { workersOf } from '../../app/read/workers-of.ts';
import { paint, type Terminal } from '../terminal.ts';
import { CLOCK } from '../../app/local-parts.ts';

export interface StatusFlags {
  readonly all: boolean;
  readonly json: boolean;
}

const ROWS_SHOWN_MAX = 60;

/** `heddle status`: where a run stands, whether or not its coordinator is up. */
export function status(terminal: Terminal, named: string | undefined, { all, json }: StatusFlags): ExitCode {
  const open = openHere('read');
  const record = chooseRun(open.store, named);
  const { run } = record;
  const { state } = foldRun(open.store, record);
  const now = Math.max(CLOCK.now(), state.run.now);
  const told = statusOf(state, { now, given: { inputs: state.run.inputs, env: {} } });
  const isUp = hasCoordinator(open, record);
  const workers = workersOf(open.project, record, state);
  open.store.close();
  if (json) {
    terminal.out(JSON.stringify({ run, file: record.file, hasCoordinator: isUp, workers, ...told }, undefined, 2));
    return EXIT.done;
  }
  const isLeft = !isUp && told.stage !== 'ended';
  const lines = statusLines(terminal, { run, status: told, isLeft, rowsMax: all ? Infinity : ROWS_SHOWN_MAX });
  const silent = workers.filter(({ is }) => is !== 'alive').map(({ task, says }) => `  ${task}: ${says}`);
  terminal.out([...lines, ...silent].join('\n'));
  if (isLeft) terminal.out(paint(terminal, 'warn', `No coordinator is up. heddle resume ${run} goes on.`));
  return EXIT.done;
}
