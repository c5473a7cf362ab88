// MCP servers of agents that do not work inside isolated sandboxes.
import type { Agent, Plan } from '../../core/plan/plan.ts';
import type { MissingServer } from '../../core/protocol/missing-server.ts';
import { mcpServersOf } from '../../shell/sandbox/isolation/mcp-servers.ts';
import { aroundAgent, showServers } from '../../shell/sandbox/isolation/show-servers.ts';
import type { Project } from '../project.ts';
import { allowedFor, agentAtWork, tryIsolation } from '../sandbox-parts.ts';

export interface AgentServers {
  readonly agent: string;
  readonly missing: readonly MissingServer[];
}

export async function missingIfIsolated(
  { agents, sandbox }: Pick<Plan, 'agents' | 'sandbox'>,
  project: Project,
): Promise<readonly AgentServers[]> {
  const found = agents.map((agent) => ({ agent: agent.name, missing: missingOf(agent, sandbox, project) }));
  const some = found.filter(({ missing }) => missing.length > 0);
  if (some.length === 0) return [];
  const tried = await tryIsolation(sandbox.isolation);
  return tried.type === 'chosen' && tried.isolation.name === 'none' ? [] : some;
}

function missingOf(agent: Agent, settings: Plan['sandbox'], { home, root }: Project): readonly MissingServer[] {
  const working = agentAtWork(agent, environmentHere());
  const allowed = allowedFor({ settings, agent: working }, root);
  return showServers(mcpServersOf(working, root), { ...aroundAgent(working, home), project: root, allowed }).missing;
}

const environmentHere = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
