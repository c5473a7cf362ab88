// Whether this machine can run a plan, known before anything starts.
import { readFileSync } from 'node:fs';
import type { Agent, Plan, Step, Task } from '../../core/plan/plan.ts';
import type { Project } from '../project.ts';
import { Refused } from '../refused.ts';
import { livingServe } from '../serve-note.ts';
import type { Refusal } from '../../core/view/text/refusal.ts';

/** A coordinator with one worker has about forty files open. */
const DESCRIPTORS_LEAST = 64;

/** Refused before anything starts: without descriptors no process can be started, and none can be asked to end. */
export function mustHaveDescriptors(): void {
  const limit = descriptorLimit();
  if (limit < DESCRIPTORS_LEAST) throw new Refused({ code: 'few-descriptors', limit, least: DESCRIPTORS_LEAST });
}

/** Node raises the soft limit to the hard limit at its start. Only Linux shows it; elsewhere no limit is assumed. */
function descriptorLimit(): number {
  try {
    const [, soft = ''] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === '' ? Infinity : Number(soft);
  } catch {
    // No such file on this system.
    return Infinity;
  }
}

/** Refuses a plan that needs programs or features that this machine lacks. Hosts of a server may have the programs. */
export async function mustBeRunnable(plan: Plan, project: Project): Promise<void> {
  const refusal = plan.sandbox.isolation === 'os' ? await refusalOfIsolation(plan) : undefined;
  if (refusal !== undefined) throw new Refused(refusal);
  if (livingServe(project) !== undefined) return;
  const used = new Set(plan.tasks.flatMap(agentsOf));
  const missing = await programsMissing(plan.agents.filter(({ name }) => used.has(name)));
  if (missing !== undefined) throw new Refused(missing);
}

/** Programs named like their adapter; the others are only known when they start. */
const PROGRAMS: ReadonlySet<string> = new Set(['claude', 'codex', 'opencode', 'gemini', 'pi']);

async function programsMissing(agents: readonly Agent[]): Promise<Refusal | undefined> {
  const named = agents.filter(({ use }) => PROGRAMS.has(use));
  if (named.length === 0) return undefined;
  const { isProgramHere } = await import('../agent-parts.ts');
  const missing = named.find(({ use }) => !isProgramHere(use));
  if (missing === undefined) return undefined;
  return { code: 'agent-missing', agent: missing.name, use: missing.use };
}

async function refusalOfIsolation({ sandbox }: Plan): Promise<Refusal | undefined> {
  if (sandbox.tree === 'none') return { code: 'isolation-in-place' };
  const { tryIsolation } = await import('../sandbox-parts.ts');
  const tried = await tryIsolation('os');
  return tried.type === 'refused' ? { code: 'isolation', failure: tried.failure } : undefined;
}

const agentsOfStep = (step: Step): readonly string[] =>
  step.type === 'prompt' && step.agent !== undefined ? [step.agent, ...step.fallbacks.map(({ agent }) => agent)] : [];

function agentsOf(task: Task): readonly string[] {
  switch (task.type) {
    case 'work':
      return [...task.steps.flatMap(agentsOfStep), ...(task.drafts?.agents ?? [])];
    case 'subplan':
      return task.tasks.flatMap(agentsOf);
    case 'for_each':
      return agentsOf(task.task);
    case 'join':
    case 'gate':
      return [];
  }
}
