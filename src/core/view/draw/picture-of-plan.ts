// A plan as a picture: one node for each task, one box for each subplan, an edge for each need.

import { describeGroup, describeTask, innermost } from './describe-task.ts';
import { chooseDirection } from './depth.ts';
import { foldPicture } from './fold-picture.ts';
import { groupsAround, parentsOf } from './picture.ts';
import type { Need, Plan, Task } from '../../plan/plan.ts';
import type { EdgeKind, Picture, PictureEdge, PictureGroup, PictureNode, PictureOptions } from './picture.ts';

/** The tasks of a plan and the needs between them, as nodes and arrows. */
export function pictureOfPlan(plan: Plan, options: PictureOptions = {}): Picture {
  const drawn: DrawnPlan = { nodes: [], groups: [], needs: [], standIn: new Map() };
  for (const task of plan.tasks) drawTask(drawn, task, undefined);
  const { nodes, groups } = drawn;
  const unit = { one: 'task', many: 'tasks' };
  const bare: Picture = { title: plan.name, direction: 'down', unit, nodes, groups, edges: [] };
  const folded = foldPicture({ ...bare, edges: edgesOf(drawn, bare) }, options);
  return { ...folded, direction: options.direction ?? chooseDirection(folded) };
}

/** Filled by one walk over the tasks; it never leaves this file. */
interface DrawnPlan {
  readonly nodes: PictureNode[];
  readonly groups: PictureGroup[];
  readonly needs: { readonly id: string; readonly need: Need }[];
  /** The node or group of each path; the inner task of a `for_each` shares its node. */
  readonly standIn: Map<string, string>;
}

function drawTask(drawn: DrawnPlan, task: Task, group: string | undefined): void {
  const id = task.path;
  const inner = innermost(task);
  for (let at = task; ; at = at.task) {
    drawn.standIn.set(at.path, id);
    drawn.needs.push({ id, need: at.needs });
    if (at.type !== 'for_each') break;
  }
  if (inner.type === 'subplan' && inner.tasks.length > 0) {
    drawn.groups.push({ id, label: describeGroup(task), group });
    for (const child of inner.tasks) drawTask(drawn, child, id);
    return;
  }
  drawn.nodes.push({ id, ...describeTask(task), group, optional: task.when !== undefined, standsFor: 1 });
}

const KIND_OF_NEED: Readonly<Record<Need['type'], EdgeKind>> = {
  all: 'need',
  any: 'any',
  at_least: 'any',
  race: 'race',
};

function edgesOf(drawn: DrawnPlan, picture: Picture): PictureEdge[] {
  const parents = parentsOf(picture);
  const edges: PictureEdge[] = [];
  for (const { id, need } of drawn.needs) {
    for (const path of need.of) {
      const from = drawn.standIn.get(path);
      // A need on an enclosing or unknown task is a diagnostic of the plan and no arrow.
      if (from === undefined || from === id) continue;
      if (groupsAround(parents, id).includes(from) || groupsAround(parents, from).includes(id)) continue;
      edges.push({ from, to: id, label: undefined, kind: KIND_OF_NEED[need.type], count: 1 });
    }
  }
  return edges;
}
