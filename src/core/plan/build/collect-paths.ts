// All task paths of a plan, before anything is built, and the limits on how many and how deep.

import { INNER_ID } from '../expand.ts';
import type { SourcePath } from '../diagnostic.ts';
import type { NamedShape } from '../language/collections.ts';
import type { DeclaredGrow } from '../language/grow-shape.ts';
import { CONFIRM_ID, DRAFT_ID } from '../grown-plan.ts';
import type { DeclaredTask } from '../language/task-shape.ts';
import { TASK_DEPTH_MAX, TASKS_MAX } from '../source/limits.ts';
import type { SourceNode } from '../source/source-node.ts';
import type { SourceReader } from '../source/source-reader.ts';
import { reportAtPath } from './building.ts';

export interface CollectedPaths {
  readonly paths: ReadonlySet<string>;
  /** Past a limit nothing is built: checking the rest would take too long. */
  readonly withinLimits: boolean;
}

interface PathsCollecting {
  readonly place: { readonly reading: SourceReader; readonly root: SourceNode };
  readonly paths: Set<string>;
  /** Tasks with every `for_each` expanded. */
  copies: number;
  withinLimits: boolean;
}

interface At {
  readonly path: string;
  readonly sourcePath: SourcePath;
  readonly depth: number;
  /** The number of copies of this task. */
  readonly factor: number;
}

/** `around` is the subplan that the tasks are in, where they are a part of a plan. */
export function collectPaths(
  place: PathsCollecting['place'],
  tasks: readonly NamedShape<DeclaredTask>[],
  around: Pick<At, 'path' | 'depth'> = { path: '', depth: 0 },
): CollectedPaths {
  const collecting: PathsCollecting = { place, paths: new Set(), copies: 0, withinLimits: true };
  collectAll(collecting, tasks, { ...around, sourcePath: [], factor: 1 });
  return collecting;
}

function collectAll(collecting: PathsCollecting, tasks: readonly NamedShape<DeclaredTask>[], around: At): void {
  const prefix = around.path === '' ? '' : `${around.path}.`;
  for (const { name, value } of tasks) {
    if (!collecting.withinLimits) return;
    const sourcePath = [...around.sourcePath, 'tasks', name];
    collectOne(collecting, value, { ...around, path: `${prefix}${name}`, sourcePath, depth: around.depth + 1 });
  }
}

function collectOne(collecting: PathsCollecting, task: DeclaredTask | undefined, at: At): void {
  collecting.paths.add(at.path);
  collecting.copies += at.factor;
  if (collecting.copies > TASKS_MAX) return reportTooMany(collecting, at.sourcePath);
  if (at.depth > TASK_DEPTH_MAX) return reportTooDeep(collecting, at.sourcePath);
  if (task?.tasks !== undefined) collectAll(collecting, task.tasks, at);
  if (task?.grow !== undefined) collectGrow(collecting, task.grow, at);
  const each = task?.for_each;
  if (each === undefined) return;
  const items = each.in?.type === 'known' ? each.in.items.length : (each.max ?? 1);
  collectOne(collecting, each.task, {
    path: `${at.path}.${INNER_ID}`,
    sourcePath: [...at.sourcePath, 'for_each', 'task'],
    depth: at.depth + 1,
    factor: at.factor * items,
  });
}

/** The tasks of a subplan that grows, before it has grown. */
function collectGrow(collecting: PathsCollecting, { confirm }: DeclaredGrow, at: At): void {
  const own = [DRAFT_ID, ...(confirm === 'gate' ? [CONFIRM_ID] : [])];
  for (const id of own) collectOne(collecting, undefined, { ...at, path: `${at.path}.${id}`, depth: at.depth + 1 });
}

function reportTooMany(collecting: PathsCollecting, sourcePath: SourcePath): void {
  collecting.withinLimits = false;
  reportAtPath(collecting.place, sourcePath, {
    code: 'too-many-tasks',
    message: `Here the plan passes ${TASKS_MAX} tasks, copies made by for_each included.`,
    hint: 'Split the plan, or lower the max of a for_each.',
  });
}

function reportTooDeep(collecting: PathsCollecting, sourcePath: SourcePath): void {
  collecting.withinLimits = false;
  reportAtPath(collecting.place, sourcePath, {
    code: 'too-deep',
    message: `Tasks are nested deeper than ${TASK_DEPTH_MAX} levels here.`,
    hint: 'Move inner tasks up; needs can name any task by its dotted path.',
  });
}
