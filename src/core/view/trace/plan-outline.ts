// What a trace needs to know of a plan: which task is inside which, and whose turn a step is.
import { expand } from '../../plan/expand.ts';
import type { Agent, Plan, Task } from '../../plan/plan.ts';

export interface OutlinedTask {
  /** The path of the subplan around it. */
  readonly parent: string | undefined;
  readonly type: Task['type'];
  /** By step, the agent of a prompt. */
  readonly agents: ReadonlyMap<string, string>;
}

export interface PlanOutline {
  readonly tasks: ReadonlyMap<string, OutlinedTask>;
  readonly agents: ReadonlyMap<string, Agent>;
}

export function outlineOf(plan: Plan): PlanOutline {
  const tasks = new Map<string, OutlinedTask>();
  const visit = (task: Task, parent: string | undefined): void => {
    tasks.set(task.path, { parent, type: task.type, agents: task.type === 'work' ? agentsIn(task) : NONE });
    if (task.type === 'subplan') for (const each of task.tasks) visit(each, task.path);
  };
  for (const task of expand(plan).tasks) visit(task, undefined);
  return { tasks, agents: new Map(plan.agents.map((agent) => [agent.name, agent])) };
}

const NONE: ReadonlyMap<string, string> = new Map();

function agentsIn({ steps }: Extract<Task, { type: 'work' }>): ReadonlyMap<string, string> {
  const agents = new Map<string, string>();
  for (const step of steps) if (step.type === 'prompt' && step.agent !== undefined) agents.set(step.id, step.agent);
  return agents.size === 0 ? NONE : agents;
}
