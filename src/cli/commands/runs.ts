import { dateText } from '../../core/view/report/document/words.ts';
import { statusOf, type Status } from '../../core/view/run/status.ts';
import type { RunRecord } from '../../shell/ports.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { aligned } from '../text/rows.ts';
import { foldRun } from '../../app/fold-run.ts';
import { hasCoordinator } from '../../app/has-coordinator.ts';
import { openHere, type OpenProject } from '../../app/open-project.ts';
import type { Terminal } from '../terminal.ts';

/** `heddle runs`: the runs of this project, the latest last. */
export function runs(terminal: Terminal, { json }: { readonly json: boolean }): ExitCode {
  const open = openHere('read');
  const told = open.store.runs().map((record) => tellOf(open, record));
  open.store.close();
  const rows = told.map(({ run, at, stage, file, ...how }) => [
    run,
    dateText(Date.parse(at)),
    stage,
    howText(how),
    file,
  ]);
  if (json) terminal.out(JSON.stringify(told, undefined, 2));
  else if (rows.length > 0) terminal.out(aligned(rows, '').join('\n'));
  return EXIT.done;
}

interface Told extends Pick<Status, 'counts' | 'total'> {
  readonly run: string;
  readonly at: string;
  readonly stage: string;
  readonly file: string;
}

function tellOf(open: OpenProject, record: RunRecord): Told {
  const { state } = foldRun(open.store, record);
  const { stage, now } = state.run;
  const { counts, total } = statusOf(state, { now, given: { inputs: state.run.inputs, env: {} } });
  const isLeft = stage !== 'ended' && !hasCoordinator(open, record);
  const at = new Date(record.createdAt).toISOString();
  return { run: record.run, at, stage: isLeft ? `${stage}, no coordinator` : stage, counts, total, file: record.file };
}

function howText({ counts, total }: Pick<Status, 'counts' | 'total'>): string {
  const wrong = (['failed', 'cancelled'] as const).flatMap((state) =>
    counts[state] > 0 ? [`${counts[state]} ${state}`] : [],
  );
  return [`${counts.completed} of ${total} done`, ...wrong].join(', ');
}
