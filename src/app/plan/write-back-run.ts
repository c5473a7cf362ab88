// Marks in a file of another tool how far the run of a plan is that was imported from it.
import { writeFileSync } from 'node:fs';
import { WRITTEN_BACK, type ImportFormat } from '../../core/import/formats.ts';
import { readFormat } from '../../core/import/import-plan.ts';
import { writeProgress, type Change, type RunProgress, type WrittenBack } from '../../core/import/write-back.ts';
import { statusOf } from '../../core/view/run/run-status.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import { chooseRun, openProject, type OpenProject, type RunRecord } from '../open-project.ts';
import { foldRun } from '../fold-run.ts';
import { CLOCK } from '../local-parts.ts';
import type { Project } from '../project.ts';
import { Refused } from '../refused.ts';
import { readSources } from './read-sources.ts';

export interface WriteBackRequest {
  readonly format: ImportFormat;
  readonly path: string;
  /** Of Task Master. */
  readonly tag: string | undefined;
  /** The latest when none is named. */
  readonly run: string | undefined;
  /** Undefined writes on this machine. */
  readonly write?: WriteText | undefined;
}

export type WriteText = (file: string, text: string) => void;

export interface MarkedFile {
  readonly run: string;
  /** The file, as people should see it. */
  readonly named: string;
  readonly changes: readonly Change[];
}

/** The agent of an imported plan is no evidence of progress. */
const NO_AGENT = 'none';

export function writeBackRun(
  { format, path, tag, run, write = writeHere }: WriteBackRequest,
  project?: Project,
): MarkedFile {
  if (!WRITTEN_BACK.includes(format)) throw new Refused({ code: 'no-write-back', format, named: path });
  const { sources, named } = readSources(format, path);
  const outline = readFormat(format, sources, { path: named, agent: NO_AGENT, check: undefined, tag });
  if (outline.type === 'refused') throw new Refused({ code: 'not-imported', trouble: outline.trouble });
  if (outline.type === 'written') throw new Refused({ code: 'no-write-back', format, named });
  const open = openProject('read', project);
  const record = chooseRun(open.store, run);
  const written = writeProgress({ format, outline, sources }, progressOf(open, record));
  open.store.close();
  if (written.known === 0) throw new Refused({ code: 'not-of-file', run: record.run, named });
  writeChanged(written, write);
  return { run: record.run, named, changes: written.changes };
}

function progressOf({ store }: OpenProject, record: RunRecord): RunProgress {
  const { state } = foldRun(store, record);
  const now = Math.max(CLOCK.now(), state.run.now);
  const { tasks } = statusOf(state, { now, given: { inputs: state.run.inputs, env: {} } });
  const states = new Map(withChildren(tasks).map((task) => [task.task, task.state]));
  return {
    of: (path) => {
      const taskState = states.get(path);
      if (taskState === undefined) return undefined;
      return taskState === 'completed' ? 'done' : taskState === 'running' ? 'begun' : 'neither';
    },
  };
}

const withChildren = (tasks: readonly TaskStatus[]): readonly TaskStatus[] =>
  tasks.flatMap((task) => [task, ...withChildren(task.children)]);

function writeChanged({ sources, changes }: WrittenBack, write: WriteText): void {
  const files = new Set(changes.map(({ file }) => file));
  for (const { path, text } of sources) if (files.has(path)) write(path, text);
}

function writeHere(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Refused({ code: 'unwritable', file, message }, { cause });
  }
}
