// How runs of a project stand, from their logs; none of it needs a coordinator.
import { simulateOn } from '../../core/simulate/simulate-on.ts';
import { explainTask, type Explanation } from '../../core/view/run/explain-task.ts';
import { statusOf, type Status } from '../../core/view/run/status.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { foldRun, taskOf } from '../fold-run.ts';
import { hasCoordinator } from '../has-coordinator.ts';
import { historyFrom } from '../run-history.ts';
import { CLOCK } from '../local-parts.ts';
import type { OpenProject } from '../open-project.ts';
import { workersOf, type WorkerStatus } from './workers-of.ts';

export interface RunStatus {
  readonly run: string;
  /** The plan file that the run was started from. */
  readonly file: string;
  readonly hasCoordinator: boolean;
  readonly workers: readonly WorkerStatus[];
  readonly status: Status;
}

export function readStatus(open: OpenProject, record: RunRecord): RunStatus {
  const { state } = foldRun(open.store, record);
  const now = Math.max(CLOCK.now(), state.run.now);
  return {
    run: record.run,
    file: record.file,
    hasCoordinator: hasCoordinator(open, record),
    workers: workersOf(open.project, record, state),
    status: statusOf(state, { now, given: { inputs: state.run.inputs, env: {} } }),
  };
}

export interface ListedRun extends Pick<Status, 'counts' | 'total' | 'stage'> {
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly file: string;
  readonly hasCoordinator: boolean;
}

/** The latest last. */
export function listRuns(open: OpenProject): readonly ListedRun[] {
  return open.store.runs().map((record) => {
    const { state } = foldRun(open.store, record);
    const { stage, now } = state.run;
    const { counts, total } = statusOf(state, { now, given: { inputs: state.run.inputs, env: {} } });
    const { run, createdAt, file } = record;
    return { run, createdAt, file, stage, counts, total, hasCoordinator: hasCoordinator(open, record) };
  });
}

export interface ExplainedTask {
  readonly now: number;
  readonly explanation: Explanation;
}

/** Which tokens a task waits for, who holds them, and when they are expected. */
export function explain(open: OpenProject, record: RunRecord, path: string): ExplainedTask {
  const { store } = open;
  const folded = foldRun(store, record);
  const task = taskOf(folded, path);
  const now = Math.max(CLOCK.now(), folded.state.run.now);
  // A simulation uses its state up, so it gets one of its own.
  const expected = simulateOn(foldRun(store, record).state, { now, learnt: historyFrom(store, folded.compiled) });
  const given = { inputs: folded.state.run.inputs, env: {} };
  return { now, explanation: explainTask(folded.state, task, { now, given, expected }) };
}
