// The order of the list: tasks that ask, run, failed, wait, ended.
//
// list-order/O1. A task keeps its place while it stays in its group, and a task that enters a group takes a free place, so that
//   rows do not move when one task replaces another.
// list-order/O2. The chosen task keeps its place in every state, until another one is chosen.
import type { TaskStatus } from '../../core/view/run/task-tree.ts';

const GROUPS = ['asks', 'running', 'failed', 'waiting', 'ended'] as const;
export type ListGroup = (typeof GROUPS)[number];

export type PlacedTasks = readonly { readonly key: string; readonly group: ListGroup }[];

/** The group of a task; for a subplan, the first group of its tasks. `asks` is true for an open question. */
export function listGroupOf(task: TaskStatus, asks: (path: string) => boolean): ListGroup {
  if (task.children.length > 0) {
    const inside = new Set(task.children.map((child) => listGroupOf(child, asks)));
    return GROUPS.find((group) => inside.has(group)) ?? 'ended';
  }
  if (asks(task.task)) return 'asks';
  switch (task.state) {
    case 'running':
      return 'running';
    case 'failed':
      return 'failed';
    case 'pending':
      return 'waiting';
    case 'completed':
    case 'cancelled':
    case 'skipped':
      return 'ended';
  }
}

export interface Placing {
  readonly before: PlacedTasks;
  readonly chosen: string | undefined;
  readonly groupOf: (task: TaskStatus) => ListGroup;
}

/** The tasks at the top of the plan, in the order of the list. */
export function placeTasks(tasks: readonly TaskStatus[], { before, chosen, groupOf: groupFor }: Placing): PlacedTasks {
  const known = new Map(before.map(({ key, group }) => [key, group]));
  const isKept = (task: TaskStatus): boolean => chosen !== undefined && holds(task, chosen);
  const now = new Map(
    tasks.map((task) => [task.task, (isKept(task) ? known.get(task.task) : undefined) ?? groupFor(task)] as const),
  );
  return GROUPS.flatMap((group) => {
    const members = tasks.flatMap(({ task }) => (now.get(task) === group ? [task] : []));
    // Waiting and ended tasks keep the order of the plan; no task replaces another there.
    const keys = group === 'waiting' || group === 'ended' ? members : inTurn(members, before, group);
    return keys.map((key) => ({ key, group }));
  });
}

function inTurn(members: readonly string[], before: PlacedTasks, group: ListGroup): readonly string[] {
  const old = before.flatMap((placed) => (placed.group === group ? [placed.key] : []));
  const wasThere = new Set(old);
  const isThere = new Set(members);
  const entering = members.filter((key) => !wasThere.has(key));
  return [...old.flatMap((key) => (isThere.has(key) ? [key] : (entering.shift() ?? []))), ...entering];
}

export const holds = ({ task, children }: TaskStatus, path: string): boolean =>
  task === path || children.some((child) => holds(child, path));
