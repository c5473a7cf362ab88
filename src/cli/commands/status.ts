import { chooseRun } from '../../app/choose-run.ts';
import { foldRun, taskOf } from '../../app/fold-run.ts';
import { hasCoordinator } from '../../app/has-coordinator.ts';
import { learntFrom } from '../../app/learnt.ts';
import { CLOCK } from '../../app/local-parts.ts';
import { openProject, type OpenProject } from '../../app/open-project.ts';
import { workersOf } from '../../app/read/workers-of.ts';
import { simulateOn } from '../../core/simulate/simulate-on.ts';
import { dateText } from '../../core/view/report/document/words.ts';
import { explainTask } from '../../core/view/run/explain/explain-task.ts';
import { statusOf, type Status } from '../../core/view/run/status.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { paint, type Terminal } from '../terminal.ts';
import { explanationLines } from '../text/explain-text.ts';
import { aligned } from '../text/rows.ts';
import { statusLines } from '../text/run-status-text.ts';

export interface StatusFlags {
  readonly all: boolean;
  readonly json: boolean;
}

const ROWS_SHOWN_MAX = 60;

/** `heddle status`: where a run stands, whether or not its coordinator is up. */
export function status(terminal: Terminal, named: string | undefined, { all, json }: StatusFlags): ExitCode {
  const open = openProject('read');
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

/** `heddle runs`: the runs of this project, the latest last. */
export function runs(terminal: Terminal, { json }: { readonly json: boolean }): ExitCode {
  const open = openProject('read');
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

export interface ExplainFlags {
  readonly run: string | undefined;
  readonly json: boolean;
}

/** `heddle explain`: which tokens a task waits for, who holds them, and when they are expected. */
export function explain(terminal: Terminal, task: string, { run, json }: ExplainFlags): ExitCode {
  const { store } = openProject('read');
  const record = chooseRun(store, run);
  const folded = foldRun(store, record);
  const compiled = taskOf(folded, task);
  const now = Math.max(CLOCK.now(), folded.state.run.now);
  // Carrying on uses the state up, so it gets one of its own.
  const expected = simulateOn(foldRun(store, record).state, { now, learnt: learntFrom(store, folded.compiled) });
  store.close();
  const given = { inputs: folded.state.run.inputs, env: {} };
  const explanation = explainTask(folded.state, compiled, { now, given, expected });
  if (json)
    terminal.out(JSON.stringify({ ...explanation, run: record.run, now, expected: asData(explanation) }, undefined, 2));
  else terminal.out(explanationLines(terminal, explanation, { now }).join('\n'));
  return EXIT.done;
}

/** Maps do not show in JSON. */
function asData({ expected }: ReturnType<typeof explainTask>): unknown {
  return expected === undefined ? undefined : { ...expected, steps: Object.fromEntries(expected.steps) };
}
