// What this version can carry out, said before anything starts.
import type { Agent, Plan, Step, Task } from '../../core/plan/plan.ts';
import { Failure } from '../failure.ts';

/** Throws when the plan asks for what cannot be done here. */
export async function mustBeRunnable(plan: Plan): Promise<void> {
  const refusal = plan.sandbox.isolation === 'os' ? await refusalOfIsolation(plan) : undefined;
  if (refusal !== undefined) throw new Failure(refusal);
  const used = new Set(plan.tasks.flatMap(agentsOf));
  const missing = await programsMissing(plan.agents.filter(({ name }) => used.has(name)));
  if (missing !== undefined) throw new Failure(missing);
}

/** Programs of the same name as their adapter; others are found out about when they are started. */
const PROGRAMS: ReadonlySet<string> = new Set(['claude', 'codex', 'opencode', 'gemini', 'pi']);

async function programsMissing(agents: readonly Agent[]): Promise<string | undefined> {
  const named = agents.filter(({ use }) => PROGRAMS.has(use));
  if (named.length === 0) return undefined;
  const { isProgramHere } = await import('../agent-parts.ts');
  const missing = named.find(({ use }) => !isProgramHere(use));
  if (missing === undefined) return undefined;
  const { name, use } = missing;
  return `The agent ${name} uses ${use}, which is not installed here. heddle agents says how to get it, and what there is.`;
}

async function refusalOfIsolation({ sandbox }: Plan): Promise<string | undefined> {
  if (sandbox.tree === 'none')
    return 'The plan requires isolation by the system (isolation: os), which takes sandboxes, and this run works in place.';
  const { refusalOfOs } = await import('../sandbox-parts.ts');
  return await refusalOfOs();
}

const agentsOfStep = (step: Step): readonly string[] =>
  step.type === 'prompt' && step.agent !== undefined ? [step.agent, ...step.fallbacks.map(({ agent }) => agent)] : [];

function agentsOf(task: Task): readonly string[] {
  switch (task.type) {
    case 'work':
      return task.steps.flatMap(agentsOfStep);
    case 'subplan':
      return task.tasks.flatMap(agentsOf);
    case 'for_each':
      return agentsOf(task.task);
    case 'join':
    case 'gate':
      return [];
  }
}
