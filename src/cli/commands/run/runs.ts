import { EXIT, type ExitCode } from '../../exit-code.ts';
import { aligned } from '../../report/rows.ts';
import { foldRun } from '../../run/fold-run.ts';
import { hasCoordinator } from '../../run/has-coordinator.ts';
import { openHere, type OpenProject } from '../../run/open-store.ts';
import type { RunRecord } from '../../../shell/ports.ts';
import type { Terminal } from '../../terminal.ts';

/** `heddle runs`: the runs of this project, the latest last. */
export function runs(terminal: Terminal, { json }: { readonly json: boolean }): ExitCode {
  const open = openHere('read');
  const told = open.store.runs().map((record) => tellOf(open, record));
  open.store.close();
  if (json) terminal.out(JSON.stringify(told, undefined, 2));
  else
    terminal.out(
      aligned(
        told.map(({ run, at, stage, file }) => [run, at, stage, file]),
        '',
      ).join('\n'),
    );
  return EXIT.done;
}

function tellOf(open: OpenProject, record: RunRecord): Record<'run' | 'at' | 'stage' | 'file', string> {
  const { state } = foldRun(open.store, record);
  const { stage } = state.run;
  const isLeft = stage !== 'ended' && !hasCoordinator(open, record);
  const at = new Date(record.createdAt).toISOString();
  return { run: record.run, at, stage: isLeft ? `${stage}, no coordinator` : stage, file: record.file };
}
