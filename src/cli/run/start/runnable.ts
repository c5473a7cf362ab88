// What this version can carry out, said before anything starts.
import type { Plan, Task } from '../../../core/plan/plan.ts';
import { Failure } from '../../failure.ts';

/** Adapters that a worker of this version has. */
const ADAPTERS: readonly string[] = ['claude', 'scripted'];

/** Throws when the plan asks for what cannot be done yet. */
export async function mustBeRunnable(plan: Plan): Promise<void> {
  const refusal = plan.sandbox.isolation === 'os' ? await refusalOfIsolation(plan) : undefined;
  if (refusal !== undefined) throw new Failure(refusal);
  const used = new Set(plan.tasks.flatMap(agentsOf));
  const agent = plan.agents.find(({ name, use }) => used.has(name) && !ADAPTERS.includes(use));
  if (agent !== undefined) {
    throw new Failure(
      `The agent ${agent.name} uses ${agent.use}, and this version can only start: ${ADAPTERS.join(', ')}. ` +
        'Give its steps another agent, or make them commands.',
    );
  }
}

async function refusalOfIsolation({ sandbox }: Plan): Promise<string | undefined> {
  if (sandbox.tree === 'none')
    return 'The plan requires isolation by the system (isolation: os), which takes sandboxes, and this run works in place.';
  const { refusalOfOs } = await import('../../wire-sandboxes.ts');
  return await refusalOfOs();
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
