// The plan with its states: each task under the need that it waits for longest, as a tree.
import type { CompiledTask } from '../../core/compile/compiled.ts';
import { taskAt } from '../../core/engine/facts.ts';
import type { State } from '../../core/engine/state.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import { quoted, type TextRow } from '../../core/view/text/styled-text.ts';
import { isOnCriticalPath, signOf, type TaskDetails } from './list-row.ts';
import type { ViewModel } from './view-model.ts';

interface PlanRow {
  readonly guides: string;
  readonly task: TaskStatus;
  /** Further needs, besides the task above it. */
  readonly others: readonly string[];
}

export function planRows({ state, status }: ViewModel, known: TaskDetails): readonly TextRow[] {
  return scopeRows(status.tasks, '', state).map(({ guides, task, others }): TextRow => [
    ['quiet', ` ${guides}`],
    signOf(task, known),
    ' ',
    task.children.length > 0 ? ['strong', quoted(task.id)] : quoted(task.id),
    ['warn', isOnCriticalPath(task, known) ? ' ★' : ''],
    ['quiet', `  ${task.stage}${others.length === 0 ? '' : `, also after ${others.map(quoted).join(', ')}`}`],
  ]);
}

/** The tasks of a plan or of a subplan. */
function scopeRows(tasks: readonly TaskStatus[], guides: string, state: State): readonly PlanRow[] {
  const inScope = new Map(
    tasks.flatMap((task) => {
      const index = state.compiled.indexOf.get(task.task);
      return index === undefined ? [] : [[index, task] as const];
    }),
  );
  const depths = depthsOf(inScope, state);
  const above = new Map([...inScope.keys()].map((index) => [index, deepest(taskAt(state, index), depths)]));
  const below = Map.groupBy(inScope.keys(), (index) => above.get(index));
  const rowsUnder = (parent: number | undefined, around: string): readonly PlanRow[] => {
    const here = below.get(parent) ?? [];
    return here.flatMap((index, at) => {
      const task = inScope.get(index);
      if (task === undefined) return [];
      const isLast = at === here.length - 1;
      const isRoot = parent === undefined;
      const others = taskAt(state, index).needs.filter((need) => need !== parent);
      const more = `${around}${isRoot ? '' : isLast ? '   ' : '│  '}`;
      return [
        {
          guides: `${around}${isRoot ? '' : isLast ? '└─ ' : '├─ '}`,
          task,
          others: others.map((need) => taskAt(state, need).task.id),
        },
        ...scopeRows(task.children, `${more}┊ `, state),
        ...rowsUnder(index, isRoot ? around : more),
      ];
    });
  };
  return rowsUnder(undefined, guides);
}

/** The length of the longest chain of needs before each task. Needs come before their dependents. */
function depthsOf(inScope: ReadonlyMap<number, TaskStatus>, state: State): ReadonlyMap<number, number> {
  const depths = new Map<number, number>();
  const depthOf = (index: number): number => {
    const known = depths.get(index);
    if (known !== undefined) return known;
    const needs = taskAt(state, index).needs.filter((need) => inScope.has(need));
    const depth = needs.reduce((most, need) => Math.max(most, depthOf(need) + 1), 0);
    depths.set(index, depth);
    return depth;
  };
  for (const index of inScope.keys()) depthOf(index);
  return depths;
}

function deepest({ needs }: CompiledTask, depths: ReadonlyMap<number, number>): number | undefined {
  const inScope = needs.filter((need) => depths.has(need));
  return inScope.reduce<number | undefined>(
    (best, need) => (best === undefined || (depths.get(need) ?? 0) > (depths.get(best) ?? 0) ? need : best),
    undefined,
  );
}
