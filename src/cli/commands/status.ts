import { copyLeftText } from '../text/run-end-text.ts';
import { chooseRun, openProject } from '../../app/open-project.ts';
import type { Project } from '../../app/project.ts';
import { readEngineNote } from '../../app/engine-note.ts';
import { livingServe } from '../../app/serve-note.ts';
import { storeFailureText } from '../../core/view/text/store-failure-text.ts';
import { readStatusAt } from '../../app/read/status-at.ts';
import { explain, listRuns, readStatus, type ListedRun, type WorkerStatus } from '../../app/read/read-status.ts';
import { dateText } from '../../core/view/document/document.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { explanationRows } from '../../core/view/text/explain-text.ts';
import { foldedRow, aligned } from '../text/rows.ts';
import { leftText } from '../../core/view/text/status-text.ts';
import { statusLines } from '../text/status-lines.ts';
import { formatDuration } from '../../core/view/chart/format.ts';

export interface StatusFlags {
  readonly all: boolean;
  /** The position in the log; undefined is its end. */
  readonly at: number | undefined;
  readonly json: boolean;
}

const ROWS_SHOWN_MAX = 60;

/** `heddle status`: the progress of a run, with or without a coordinator. */
export function status(terminal: Terminal, named: string | undefined, { all, at, json }: StatusFlags): ExitCode {
  const open = openProject('read');
  const record = chooseRun(open.store, named);
  const read = at === undefined ? readStatus(open, record) : readStatusAt(open, record, at);
  open.store.close();
  const trouble = engineTrouble(open.project);
  const { run, file, hasCoordinator, now, expectedAt, status: shown } = read;
  const workers = read.workers.map((worker) => ({ ...worker, says: workerText(worker) }));
  if (json) {
    terminal.out(JSON.stringify({ run, file, hasCoordinator, workers, expectedAt, ...shown }, undefined, 2));
    return EXIT.done;
  }
  const isLeft = at === undefined && !hasCoordinator && shown.stage !== 'ended';
  const left = isLeft || expectedAt === undefined ? undefined : leftText({ at: now, endAt: expectedAt }, now, shown);
  const lines = statusLines(terminal, { run, status: shown, isLeft, left, rowsMax: all ? Infinity : ROWS_SHOWN_MAX });
  const silent = workers
    .filter(({ is }) => is !== 'alive' && is !== 'elsewhere')
    .map(({ task, says }) => `  ${task}: ${says}`);
  terminal.out([...lines, ...silent].join('\n'));
  if (trouble !== undefined && shown.stage !== 'ended') terminal.out(paint(terminal, 'warn', trouble));
  if (isLeft) terminal.out(paint(terminal, 'warn', leftBehindText(open.project, run)));
  return EXIT.done;
}

function leftBehindText(project: Project, run: string): string {
  const note = readEngineNote(project);
  if (note === undefined) return `Not running: no coordinator. heddle resume ${run} goes on.`;
  if (livingServe(project) === undefined) return copyLeftText(run, note.engine);
  return `No server has ${run} at this moment. heddle resume ${run} has one go on with it.`;
}

/** What the server of the project last saw of the engine that keeps its runs. */
function engineTrouble(project: Project): string | undefined {
  const note = livingServe(project) === undefined ? undefined : readEngineNote(project);
  if (note?.trouble === undefined) return undefined;
  return storeFailureText({ code: 'engine', engine: note.engine, ...note.trouble });
}

/** `heddle runs`: the runs of this project, the latest last. */
export function runs(terminal: Terminal, { json }: { readonly json: boolean }): ExitCode {
  const open = openProject('read');
  const listed = listRuns(open);
  open.store.close();
  const shown = listed.map(({ run, createdAt, file, counts, total, ...how }) => {
    return { run, at: new Date(createdAt).toISOString(), stage: stageText(how), counts, total, file };
  });
  const rows = shown.map(({ run, at, stage, file, ...how }) => [
    run,
    dateText(Date.parse(at)),
    stage,
    howText(how),
    file,
  ]);
  if (json) terminal.out(JSON.stringify(shown, undefined, 2));
  else if (rows.length > 0) terminal.out(aligned(rows, '').join('\n'));
  return EXIT.done;
}

const stageText = ({ stage, hasCoordinator }: Pick<ListedRun, 'stage' | 'hasCoordinator'>): string =>
  stage !== 'ended' && !hasCoordinator ? `${stage}, no coordinator` : stage;

function howText({ counts, total }: Pick<ListedRun, 'counts' | 'total'>): string {
  const wrong = (['failed', 'cancelled'] as const).flatMap((state) =>
    counts[state] > 0 ? [`${counts[state]} ${state}`] : [],
  );
  return [`${counts.completed} of ${total} done`, ...wrong].join(', ');
}

export interface ExplainFlags {
  readonly run: string | undefined;
  readonly json: boolean;
}

/** `heddle explain`: the tokens that a task waits for, their holders, and when they are expected. */
export function explainPath(terminal: Terminal, task: string, { run, json }: ExplainFlags): ExitCode {
  const open = openProject('read');
  const record = chooseRun(open.store, run);
  const { now, explanation } = explain(open, record, task);
  open.store.close();
  const { expected } = explanation;
  // Maps do not show in JSON.
  const asData = expected === undefined ? undefined : { ...expected, steps: Object.fromEntries(expected.steps) };
  if (json) terminal.out(JSON.stringify({ ...explanation, run: record.run, now, expected: asData }, undefined, 2));
  else
    terminal.out(
      explanationRows(explanation, { now })
        .flatMap((row) => foldedRow(terminal, row))
        .join('\n'),
    );
  return EXIT.done;
}

/** Whether the worker of a claim is there. */
function workerText({ is, pid, silentMs, host }: WorkerStatus): string {
  switch (is) {
    case 'starting':
      return 'no worker has it yet';
    case 'dead':
      return `its worker ${pid} is gone; a resume will notice`;
    case 'alive':
      return 'running';
    case 'elsewhere':
      return `running on ${host}`;
    case 'silent':
      return `its worker ${pid} has been silent for ${formatDuration(silentMs)}; heddle doctor says more`;
  }
}
