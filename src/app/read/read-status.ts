// The status of a project's runs, from their logs; needs no coordinator.
import type { Range } from '../../core/simulate/range.ts';
import { explainTask, type Explanation } from '../../core/view/run/explain-task.ts';
import { statusOf, type Status } from '../../core/view/run/run-status.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { Store } from '../../shell/ports/store.ts';
import { foldRun, taskOf, type FoldedRun } from '../fold-run.ts';
import { hasCoordinator } from '../has-coordinator.ts';
import { earlierRuns } from '../run-history.ts';
import { CLOCK } from '../local-parts.ts';
import type { OpenProject } from '../open-project.ts';
import { etaOf, type Eta } from '../../core/simulate/eta.ts';
import { spentSoFar, workersOf, type WorkerStatus } from './workers-of.ts';

export interface RunStatus {
  readonly run: string;
  /** The plan file that the run was started from. */
  readonly file: string;
  readonly hasCoordinator: boolean;
  readonly workers: readonly WorkerStatus[];
  readonly now: number;
  /** When the run is expected to end; undefined of one that has ended, or is too large to simulate. */
  readonly expectedAt: Range | undefined;
  readonly status: Status;
}

export function readStatus(open: OpenProject, record: RunRecord): RunStatus {
  const folded = foldRun(open.store, record);
  const { state } = folded;
  const now = Math.max(CLOCK.now(), state.run.now);
  const ended = state.run.stage === 'ended';
  return {
    run: record.run,
    now,
    expectedAt: ended ? undefined : expectedOf(open.store, folded, now)?.endAt,
    file: record.file,
    hasCoordinator: hasCoordinator(open, record),
    workers: workersOf(open.project, record, state),
    status: statusOf(state, {
      now,
      given: { inputs: state.run.inputs, env: {} },
      spentBy: spentSoFar(open.project, record.run),
    }),
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

/** When the run and its tasks are expected to end; undefined of a plan too large for it. */
const expectedOf = (store: Store, { record, started, events }: FoldedRun, now: number): Eta | undefined =>
  etaOf({ compiled: started, events, earlier: () => earlierRuns(store, record.name, record.run), now });

export interface ExplainedTask {
  readonly now: number;
  readonly explanation: Explanation;
}

/** The tokens that a task waits for, their holders, and when they are expected. */
export function explain(open: OpenProject, record: RunRecord, path: string): ExplainedTask {
  const { store } = open;
  const folded = foldRun(store, record);
  const task = taskOf(folded, path);
  const now = Math.max(CLOCK.now(), folded.state.run.now);
  const expected = expectedOf(store, folded, now);
  const given = { inputs: folded.state.run.inputs, env: {} };
  return { now, explanation: explainTask(folded.state, task, { now, given, expected }) };
}
