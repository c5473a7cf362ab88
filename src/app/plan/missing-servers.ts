// MCP servers of agents that do not work inside the sandboxes of a plan.
import type { Plan } from '../../core/plan/plan.ts';
import { findProject, type Project } from '../project.ts';
import type { AgentServers } from './isolated-servers.ts';

/** Nothing where sandboxes are not isolated: there, servers work as they do for the user. */
export async function missingServers(
  { agents, sandbox }: Pick<Plan, 'agents' | 'sandbox'>,
  project: Project = findProject(),
): Promise<readonly AgentServers[]> {
  if (agents.length === 0 || sandbox.isolation === 'none' || sandbox.tree === 'none') return [];
  // A plan of commands loads nothing of sandboxes and git for this.
  const { missingIfIsolated } = await import('./isolated-servers.ts');
  return missingIfIsolated({ agents, sandbox }, project);
}
