// The agents of a plan: those it declares, and adapters that are named directly.

import { AGENT_KINDS, ADAPTERS_WITH_COMMAND } from '../language/agent-kinds.ts';
import type { DeclaredAgent, DeclaredPlan } from '../language/plan-shape.ts';
import type { DeclaredTask } from '../language/task-shape.ts';
import type { Budget } from '../budget.ts';
import type { Agent } from '../plan.ts';
import { nearest } from '../language/nearest-name.ts';
import type { SourceNode } from '../source/source-node.ts';
import type { SourceReader } from '../source/source-reader.ts';
import { reportAtPath } from './building.ts';

/** The default reservation of an agent turn. */
export const DEFAULT_RESERVE: Budget = { usd: 0.5, tokens: 100_000 };

interface AgentSource {
  readonly reading: SourceReader;
  readonly root: SourceNode;
}

/** `outside` are the agents that the command line and the settings files name. */
export function buildAgents(place: AgentSource, declared: DeclaredPlan, outside: readonly string[]): readonly Agent[] {
  const agents = (declared.agents ?? []).map(({ name, value }) => buildAgent(place, name, value));
  const candidates = agents.length === 0 ? [...agentsNamedIn(declared), ...outside] : outside;
  const known = new Set(agents.map(({ name }) => name));
  const implicit = [...new Set(candidates)].filter((name) => AGENT_KINDS.includes(name) && !known.has(name));
  return [...agents, ...implicit.map(bareAgent)];
}

function bareAgent(name: string): Agent {
  return {
    name,
    use: name,
    model: undefined,
    pool: undefined,
    args: [],
    command: undefined,
    env: [],
    reserve: DEFAULT_RESERVE,
    on: undefined,
  };
}

function buildAgent(place: AgentSource, name: string, declared: DeclaredAgent | undefined): Agent {
  if (declared === undefined) return bareAgent(name);
  const use = declared.use ?? name;
  checkAdapter({ place, name, use, declared });
  return {
    name,
    use,
    model: declared.model,
    pool: declared.pool,
    args: declared.args ?? [],
    command: declared.command,
    env: declared.env ?? [],
    reserve: {
      usd: declared.reserve?.usd ?? DEFAULT_RESERVE.usd,
      tokens: declared.reserve?.tokens ?? DEFAULT_RESERVE.tokens,
    },
    on: declared.on,
  };
}

function checkAdapter(given: { place: AgentSource; name: string; use: string; declared: DeclaredAgent }): void {
  const { place, name, use, declared } = given;
  const path = ['agents', name, 'use'];
  if (!AGENT_KINDS.includes(use)) {
    const meant = nearest(use, AGENT_KINDS);
    reportAtPath(place, path, {
      code: 'unknown-adapter',
      message:
        declared.use === undefined
          ? `The agent ${name} does not say which adapter to use, and there is no adapter of its name.`
          : `There is no adapter ${JSON.stringify(use)}.`,
      hint: meant === undefined ? `Write use: with one of ${AGENT_KINDS.join(', ')}.` : `Did you mean ${meant}?`,
    });
  } else if (ADAPTERS_WITH_COMMAND.includes(use) && declared.command === undefined) {
    reportAtPath(place, path, {
      code: 'missing-key',
      message: `The agent ${name} must have the key command, because its adapter ${use} starts ${use === 'module' ? 'an adapter' : 'a program'} of yours.`,
      hint: use === 'module' ? 'Add command: the file of the adapter.' : 'Add command: the program to start.',
    });
  }
}

/** In the order of first mention. */
function agentsNamedIn(declared: DeclaredPlan): readonly string[] {
  const names = new Set<string>();
  const note = (given: readonly string[] | undefined): void => given?.forEach((name) => names.add(name));
  const visit = (task: DeclaredTask | undefined): void => {
    note(task?.agent);
    note(task?.escalate);
    task?.steps?.forEach((step) => [step.agent, step.escalate].forEach(note));
    note(task?.review?.agent);
    note(task?.grow?.agents);
    task?.tasks?.forEach(({ value }) => visit(value));
    visitInner(task);
  };
  const visitInner = (task: DeclaredTask | undefined): void => {
    if (task?.for_each !== undefined) visit(task.for_each.task);
  };
  note(declared.agent);
  declared.tasks?.forEach(({ value }) => visit(value));
  return [...names];
}
