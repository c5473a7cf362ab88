// MCP servers of agents that do not work inside the sandboxes of a plan.
import type { Plan } from '../../core/plan/plan.ts';
import type { MissingServer } from '../../core/protocol/missing-server.ts';
import { findProject, type Project } from '../project.ts';

export interface AgentServers {
  readonly agent: string;
  readonly missing: readonly MissingServer[];
}

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
