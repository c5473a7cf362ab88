// Runs as their stores have them: status, events, output, turns, diff, report. None of it needs a coordinator.
import { chooseRun, type OpenProject, type RunRecord } from '../app/open-project.ts';
import { runDiff } from '../app/read/diff.ts';
import { readEvents } from '../app/read/read-events.ts';
import { readOutput, type OutputPart } from '../app/read/read-output.ts';
import { readReport } from '../app/read/read-report.ts';
import { listRuns, readStatus, type ListedRun, type RunStatus } from '../app/read/read-status.ts';
import { readTurns, type TurnLine } from '../app/read/turns-of.ts';
import type { RunEvent } from '../core/engine/event.ts';
import type { Report } from '../core/view/report/run-report.ts';
import { refusable, withStore, type InFolder, type OfRun, type RefusedResult } from './call.ts';

/** Reads one run, the latest by default. */
const ofRun = <Result>(
  request: OfRun,
  read: (open: OpenProject, record: RunRecord) => Result | Promise<Result>,
): Promise<Result | RefusedResult> =>
  refusable(() => withStore(request, 'read', async (open) => await read(open, chooseRun(open.store, request.run))));

/** Where a run stands: its tasks by stage, what it has spent, and the questions that are open. */
export const status = (request: OfRun = {}): Promise<({ readonly type: 'status' } & RunStatus) | RefusedResult> =>
  ofRun(request, (open, record) => ({ type: 'status' as const, ...readStatus(open, record) }));

/** All runs of a project, the latest last. */
export const runs = (
  request: InFolder = {},
): Promise<{ readonly type: 'runs'; readonly runs: readonly ListedRun[] } | RefusedResult> =>
  refusable(() =>
    withStore(request, 'read', (open) => Promise.resolve({ type: 'runs' as const, runs: listRuns(open) })),
  );

/** The log of a run so far; `fold` of `heddle/core` makes its state. */
export const events = (
  request: OfRun = {},
): Promise<{ readonly type: 'events'; readonly events: readonly RunEvent[] } | RefusedResult> =>
  ofRun(request, async (open, record) => {
    const read: RunEvent[] = [];
    for await (const { event } of readEvents(open, record, { follows: false })) read.push(event);
    return { type: 'events' as const, events: read };
  });

/** Names a task of a run. */
export interface OfTask extends OfRun {
  /** The task, as a dotted path. */
  readonly task: string;
}

/** Names the output of a task, and which part of it. */
export interface OutputRequest extends OfTask {
  /** One step; `check` is the check. Every step by default. */
  readonly step?: string;
  /** The latest of each step by default. */
  readonly attempt?: number;
  /** Follows until the task is over. */
  readonly follows?: boolean;
  /** Called with each part as it comes. */
  readonly onPart?: (part: OutputPart) => void;
}

/** The output of a task's steps. */
export const output = (
  request: OutputRequest,
): Promise<{ readonly type: 'output'; readonly parts: readonly OutputPart[] } | RefusedResult> =>
  ofRun(request, async (open, record) => {
    const { task, step, attempt, follows = false, onPart } = request;
    const parts: OutputPart[] = [];
    for await (const part of readOutput(open, record, { task, step, attempt, follows })) {
      onPart?.(part);
      if (onPart === undefined) parts.push(part);
    }
    return { type: 'output' as const, parts };
  });

/** The prompts and responses of the agents of a task, and its commands. */
export const turns = (
  request: OfTask,
): Promise<{ readonly type: 'turns'; readonly turns: readonly TurnLine[] } | RefusedResult> =>
  ofRun(request, (open, record) => ({ type: 'turns' as const, turns: readTurns(open, record, request.task) }));

/** The changes of a task, as a git diff. */
export const diff = (request: OfTask): Promise<{ readonly type: 'diff'; readonly text: string } | RefusedResult> =>
  ofRun(request, async (open, record) => ({ type: 'diff' as const, text: await runDiff(open, record, request) }));

/** The report of a run: what each task did, cost and produced. */
export const report = (
  request: OfRun = {},
): Promise<{ readonly type: 'report'; readonly report: Report } | RefusedResult> =>
  ofRun(request, async (open, record) => ({
    type: 'report' as const,
    report: (await readReport(open, record)).report,
  }));
