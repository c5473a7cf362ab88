// Gateways: whom an agent asks instead of its provider, because the environment, its own settings or the plan say so. An agent
// that may reach its provider may reach those.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_NEEDS, type AgentAtWork } from './agent-needs.ts';
import { settingsOf } from './agent-settings.ts';

/** What settings of agents call it, whatever the format of the file and however often it is quoted. */
const ADDRESS = /(?:base_?url|"api")\\*["']?\s*[:=]\s*\\*["']?(https?:\/\/[^"'\s\\,}]+)/giu;
const FILE_MAX_BYTES = 1024 * 1024;

/** `host:port` each. Of the project, the user's own checkout is looked at and not what an agent made of it. */
export function gatewaysOf(agent: AgentAtWork, project: string | undefined): readonly string[] {
  const { kind, environment, given, args } = agent;
  const needs = AGENT_NEEDS.get(kind);
  if (needs === undefined) return [];
  const named = [...needs.gateways, ...given].flatMap((name) => environment[name] ?? []);
  const { brought, readable } = settingsOf(agent);
  const ofProject = project === undefined ? [] : needs.ofProject.map((path) => join(project, path));
  const files = [...brought.map(({ from }) => from), ...readable, ...ofProject].flatMap(textsAt);
  const settings = [...files, environment[CONTENT] ?? '', ...args];
  const written = settings.flatMap((text) => [...text.matchAll(ADDRESS)].map(([, address = '']) => address));
  return [...new Set([...named, ...written].flatMap(destinationAt))];
}

/** Holds settings and not where they are. */
const CONTENT = 'OPENCODE_CONFIG_CONTENT';

function destinationAt(address: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return [];
  return [`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`];
}

/** Of a file, or of those in a folder; what cannot be read names nobody. */
function textsAt(path: string): readonly string[] {
  try {
    const found = statSync(path);
    if (found.isDirectory())
      return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? textsAt(join(path, entry.name)) : [],
      );
    return found.isFile() && found.size <= FILE_MAX_BYTES ? [readFileSync(path, 'utf8')] : [];
  } catch {
    return [];
  }
}
