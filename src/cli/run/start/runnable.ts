// What this version can carry out, said before anything starts.
import type { Plan, Task } from '../../../core/plan/plan.ts';
import { Failure } from '../../failure.ts';

/** Adapters that a worker of this version has. */
const ADAPTERS: readonly string[] = ['claude', 'scripted'];

/** Throws when the plan asks for what cannot be done yet. */
export function mustBeRunnable(plan: Plan): void {
  if (plan.sandbox.isolation === 'os') {
    throw new Failure(
      'The plan requires isolation by the system (isolation: os), which this version cannot give. ' +
        'Write isolation: none to run it without.',
    );
  }
  const used = new Set(plan.tasks.flatMap(agentsOf));
  const agent = plan.agents.find(({ name, use }) => used.has(name) && !ADAPTERS.includes(use));
  if (agent !== undefined) {
    throw new Failure(
      `The agent ${agent.name} uses ${agent.use}, and this version can only start: ${ADAPTERS.join(', ')}. ` +
        'Give its steps another agent, or make them commands.',
    );
  }
}

function agentsOf(task: Task): readonly string[] {
  switch (task.type) {
    case 'work':
      return task.steps.flatMap((step) => (step.type === 'prompt' && step.agent !== undefined ? [step.agent] : []));
    case 'subplan':
      return task.tasks.flatMap(agentsOf);
    case 'for_each':
      return agentsOf(task.task);
    case 'join':
    case 'gate':
      return [];
  }
}
