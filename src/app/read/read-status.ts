// The status of a project's runs, from their logs; needs no coordinator.
import { NO_HISTORY } from '../../core/simulate/estimate.ts';
import { forecast, type Forecast } from '../../core/simulate/forecast.ts';
import { historyOf } from '../../core/simulate/history.ts';
import { pastWorkOf, type PastWork } from '../../core/simulate/past-work.ts';
import { prepareAgain } from '../../core/simulate/prepare-run.ts';
import type { Range } from '../../core/simulate/range.ts';
import { explainTask, type Explanation } from '../../core/view/run/explain-task.ts';
import { statusOf, type Status } from '../../core/view/run/run-status.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { Store } from '../../shell/ports/store.ts';
import { startOf } from '../../core/engine/apply/fold.ts';
import { orderIn } from '../../core/engine/order.ts';
import { expand } from '../../core/plan/expand.ts';
import type { Task } from '../../core/plan/plan.ts';
import { eventsFrom, foldRun, taskOf, type FoldedRun } from '../fold-run.ts';
import { hasCoordinator, type OpenProject } from '../open-project.ts';
import { earlierWork } from '../run-history.ts';
import { CLOCK, workerOf } from '../local-parts.ts';
import { etaOf, HISTORY_TASKS_MAX, type Eta } from '../../core/simulate/eta.ts';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { owed } from '../../core/engine/owed/owed.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { Spend } from '../../core/protocol/result.ts';
import type { State } from '../../core/engine/state.ts';
import { ATTEMPT_FILES, attemptFolder } from '../../shell/host/attempt-folder.ts';
import { readLiveSpend } from '../../shell/host/read-attempt.ts';
import { isAlive } from '../../shell/exec/process.ts';
import type { Project } from '../project.ts';

/** The status of a run, and whether a process coordinates it. */
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

/** One run in the list of a project. */
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
const expectedOf = (store: Store, { record, state, events }: FoldedRun, now: number): Eta | undefined =>
  etaOf({ state, past: () => [...earlierWork(store, record.name, record.run), pastWorkOf(events)], now });

interface Present {
  readonly state: State;
  readonly work: PastWork;
}

/** The same of a run that has been folded for other readings as well; undefined of one that has ended. */
export function etaNow({ store }: OpenProject, { name, run }: RunRecord, { state, work }: Present): Eta | undefined {
  if (state.run.stage === 'ended') return undefined;
  const now = Math.max(CLOCK.now(), state.run.now);
  return etaOf({ state, past: () => [...earlierWork(store, name, run), work], now });
}

/** Whether a run is too large to simulate, found out without folding its log, which takes long then. */
export function isTooLarge({ store }: OpenProject, { run }: RunRecord): boolean {
  const { plan } = startOf(eventsFrom(store, run, 0, 1).events);
  return countTasks(expand(plan).tasks) > HISTORY_TASKS_MAX;
}

const countTasks = (tasks: readonly Task[]): number =>
  tasks.reduce((sum, task) => sum + 1 + (task.type === 'subplan' ? countTasks(task.tasks) : 0), 0);

/** The forecast of the plan as it was at the start, from what was known then. */
export function readForecast({ store }: OpenProject, record: RunRecord): Forecast {
  const { started, events } = foldRun(store, record);
  const { policy, priorities, seed } = startOf(events);
  const isLarge = started.tasks.length > HISTORY_TASKS_MAX;
  const history = isLarge ? NO_HISTORY : historyOf(started, earlierWork(store, record.name, record.run));
  return forecast(started, prepareAgain(started, { history, seed, order: orderIn(started, policy, priorities) }));
}

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

export interface WorkerStatus extends ClaimRef {
  readonly pid: number | undefined;
  /** `elsewhere`: on the host on another machine, which looks after it. */
  readonly is: 'alive' | 'silent' | 'dead' | 'starting' | 'elsewhere';
  readonly host: string | undefined;
  /** Since its last heartbeat. */
  readonly silentMs: number;
}

/** A worker without a heartbeat for this long is reported; it is not ended for it. */
const SILENT_MS = 15_000;

/** Whether the workers of running claims are alive, as their attempt files show it. */
export function workersOf(project: Project, { run }: RunRecord, state: State): readonly WorkerStatus[] {
  // Merges have no worker of their own.
  const claims = owed(state).filter(({ claim }) => claim.work !== 'merge');
  return claims.map(({ claim, host }) => ({
    ...claim,
    host,
    ...(host === undefined
      ? lifeOf(workerOf(project, run, claim), attemptFolder(project.home, run, claim))
      : ELSEWHERE),
  }));
}

/** The files here are copies; processes of this machine with the pids in them are others. */
const ELSEWHERE = { pid: undefined, is: 'elsewhere', silentMs: 0 } as const;

function lifeOf(read: ReturnType<typeof workerOf>, folder: string): Pick<WorkerStatus, 'pid' | 'is' | 'silentMs'> {
  if (read.type !== 'attempt') return { pid: undefined, is: 'starting', silentMs: 0 };
  const { pid } = read.attempt;
  const now = CLOCK.now();
  // The first heartbeat comes after some seconds; a worker may be frozen before it.
  const silentMs = now - (changedAt(join(folder, ATTEMPT_FILES.heartbeat)) ?? read.attempt.at);
  if (!isAlive(read.attempt)) return { pid, is: 'dead', silentMs };
  return { pid, is: silentMs < SILENT_MS ? 'alive' : 'silent', silentMs };
}

/** The cost of a running claim so far, as its worker reports it. */
export const spentSoFar =
  ({ home }: Pick<Project, 'home'>, run: string) =>
  (claim: ClaimRef): Spend | undefined =>
    readLiveSpend(attemptFolder(home, run, claim));

const changedAt = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
