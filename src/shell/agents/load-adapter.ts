// Loads an adapter that is no part of Heddle, for agents with `use: module`.
//
// load-adapter/M1. Whatever the module is, nothing is thrown: a turn of a module that cannot be used is refused.
// load-adapter/M2. The module runs in the worker, outside any sandbox; the program that it starts runs inside.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent } from '../../core/plan/plan.ts';
import type { Adapter, AgentModule } from '../ports/agents.ts';
import { adapterOf } from './turn/agent-kind.ts';

/** The file is resolved from the folder of the project. */
export async function loadAdapter({ name, command = '' }: Agent, folder: string): Promise<Adapter> {
  const path = resolve(folder, command);
  try {
    const loaded: unknown = await import(pathToFileURL(path).href);
    const adapter = fieldOf(loaded, 'adapter');
    if (isAgentModule(adapter)) return wrapped(adapter);
    return unusable(`${name} uses the adapter in ${path}, which exports no \`adapter\` with launch, reader and conversations: \
write export const adapter: AgentModule = { … }, with the type from heddle.`);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return unusable(`${name} uses the adapter in ${path}, which cannot be loaded: ${why}`);
  }
}

const wrapped = ({ environment = [], keepsPermissions = false, ...adapter }: AgentModule): Adapter =>
  adapterOf({ ...adapter, environment, defaults: {}, ...(keepsPermissions ? {} : { unasking: 'always' }) });

function isAgentModule(value: unknown): value is AgentModule {
  const isMade = ['launch', 'reader'].every((key) => typeof fieldOf(value, key) === 'function');
  return isMade && typeof fieldOf(fieldOf(value, 'conversations'), 'forks') === 'boolean';
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(key) : undefined;

const unusable = (message: string): Adapter => ({
  launch: () => ({ type: 'unlaunchable', message }),
  reader: () => {
    throw new Error('A turn that was not launched has no output.');
  },
  conversations: { forks: false, folder: 'same' },
});
