// One task of a run for a reader who has little room: why it waits, its last turns, the end of its output, what it changed.
import type { Explanation } from '../../core/view/run/explain-task.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { foldRun } from '../fold-run.ts';
import { artifactsIn } from '../local-parts.ts';
import type { OpenProject } from '../open-project.ts';
import { Refused } from '../refused.ts';
import { runDiff } from './diff.ts';
import { outputEndOf } from './output-reader.ts';
import { attemptsOf } from './read-output.ts';
import { explain } from './read-status.ts';
import { readTurns, type TurnLine } from './turns-of.ts';

export interface ReadTask {
  readonly now: number;
  readonly explanation: Explanation;
  /** The latest last. */
  readonly turns: readonly TurnLine[];
  /** The end of the output of its latest attempt; undefined when it printed nothing. */
  readonly tail: string | undefined;
  /** `git diff --stat` of its work; undefined when it has committed nothing. */
  readonly stat: string | undefined;
}

export async function readTask(
  open: OpenProject,
  record: RunRecord,
  options: { readonly task: string; readonly tailBytes: number },
): Promise<ReadTask> {
  const { task, tailBytes } = options;
  const { now, explanation } = explain(open, record, task);
  return {
    now,
    explanation,
    turns: readTurns(open, record, task),
    tail: tailOf(open, record, options.task, tailBytes),
    stat: await statOf(open, record, task),
  };
}

function tailOf(open: OpenProject, record: RunRecord, task: string, bytes: number): string | undefined {
  const { events } = foldRun(open.store, record);
  const claim = attemptsOf(events, task).at(-1)?.claim;
  if (claim === undefined) return undefined;
  const text = outputEndOf(artifactsIn(open.project), { run: record.run, claim, name: 'output' }, bytes);
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** A task without commits, and a run that works in place, have nothing to compare. */
const NOTHING: ReadonlySet<string> = new Set(['nothing-committed', 'in-place', 'makes-no-commits']);

async function statOf(open: OpenProject, record: RunRecord, task: string): Promise<string | undefined> {
  try {
    return await runDiff(open, record, { task, isStat: true });
  } catch (cause) {
    if (cause instanceof Refused && NOTHING.has(cause.refusal.code)) return undefined;
    throw cause;
  }
}
