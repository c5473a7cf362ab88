// The agents that an ail pipeline uses: a runner and a model each.

import type { SourceNode } from '../../plan/source/source-node.ts';
import { map, shortMap, type Yaml } from '../../plan/print/yaml.ts';
import { ADAPTERS, ADAPTERS_WITH_COMMAND } from '../../plan/language/agent-kinds.ts';
import { fieldOf, textAt } from '../outline/item-fields.ts';

export interface AilAgents {
  /** What prompts go to that name no agent. */
  readonly usual: string;
  readonly nameOf: (runner: string | undefined, model: string | undefined) => string | undefined;
  /** Those that were asked for, to be declared; undefined when there are none. */
  readonly entries: () => Yaml | undefined;
}

interface AgentRequest {
  readonly use: string;
  readonly model: string | undefined;
}

export function agentsFor(root: SourceNode, adapter: string): AilAgents {
  const defaults = fieldOf(root, 'defaults');
  const model = textAt(fieldOf(defaults, 'provider'), 'model') ?? textAt(defaults, 'model');
  const asked = new Map<string, AgentRequest>();
  const ask = (one: AgentRequest): string => {
    const name = nameFor(one);
    if (!asked.has(name)) asked.set(name, one);
    return name;
  };
  const usual = model === undefined ? adapter : ask({ use: adapter, model });
  return {
    usual,
    nameOf: (runner, own) => {
      const use = runner !== undefined && isAdapter(runner) ? runner : adapter;
      const name = own === undefined && use === adapter ? usual : ask({ use, model: own });
      return name === usual ? undefined : name;
    },
    entries: () => {
      if (asked.size === 0) return undefined;
      // Once one agent is declared, the others are no longer known by the name of their adapter.
      if (!asked.has(usual)) asked.set(usual, { use: adapter, model: undefined });
      return map(
        ...[...asked].map(([name, { use, model: own }]) => [name, shortMap(['use', use], ['model', own])] as const),
      );
    },
  };
}

const isAdapter = (runner: string): boolean => ADAPTERS.includes(runner) && !ADAPTERS_WITH_COMMAND.includes(runner);

function nameFor({ use, model }: AgentRequest): string {
  const words =
    model === undefined ? use : `${use}-${model.startsWith(`${use}-`) ? model.slice(use.length + 1) : model}`;
  return words.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 60);
}
