// Gateways: whom an agent asks instead of its provider, because the environment or its own settings say so. An agent that may
// reach its provider may reach those.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_NEEDS } from './agent-needs.ts';

/** What settings of agents call it, whatever the format of the file. */
const ADDRESS = /base_?url["']?\s*[:=]\s*["'](https?:\/\/[^"'\s]+)/giu;
const FILE_MAX_BYTES = 1024 * 1024;

/** `host:port` each. */
export function gatewaysOf(agent: string, environment: Readonly<Record<string, string>>): readonly string[] {
  const needs = AGENT_NEEDS.get(agent);
  if (needs === undefined) return [];
  const home = environment['HOME'] ?? '';
  const named = needs.gateways.flatMap((name) => environment[name] ?? []);
  const settings = needs.logIn.flatMap((path) => textsAt(join(home, path)));
  const written = settings.flatMap((text) => [...text.matchAll(ADDRESS)].map(([, address = '']) => address));
  return [...new Set([...named, ...written].flatMap(destinationAt))];
}

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
    return found.size > FILE_MAX_BYTES ? [] : [readFileSync(path, 'utf8')];
  } catch {
    return [];
  }
}
