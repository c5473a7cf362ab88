// What Claude Code has noted of a project by the path of its folder: MCP servers that the user added for this project alone,
// and shared ones that the user refused. A sandbox lies at another path, so they are given to it in the call.
//
// claude-project/J1. Values of the environment and headers of a server may be secret: they are passed in variables and
//     not in arguments, which every user of the machine can read.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TurnRequest } from '../ports/agents.ts';
import { hasFlag } from './turn/agent-kind.ts';
import { objectAt } from './turn/fields.ts';
import { isObject, type Fields } from '../../core/plan/json-fields.ts';

export interface ProjectNotes {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const SETTINGS = '--settings';
/** With it the user names all servers. */
const STRICT = '--strict-mcp-config';

export function projectNotes({ agent, environment }: TurnRequest): ProjectNotes {
  const noted = notesOn(environment);
  const { servers, values } = withVariables(objectAt(noted, 'mcpServers'));
  const refused = textsAt(noted, 'disabledMcpjsonServers');
  const names = Object.keys(servers);
  const isGiven = names.length > 0 && !hasFlag(agent.args, STRICT);
  return {
    args: [
      ...(isGiven ? [`--mcp-config=${JSON.stringify({ mcpServers: servers })}`] : []),
      ...(refused.length === 0 || hasFlag(agent.args, SETTINGS)
        ? []
        : [SETTINGS, JSON.stringify({ disabledMcpjsonServers: refused })]),
    ],
    environment: isGiven ? values : {},
  };
}

/** Empty where the project is not known, as when an agent is tried outside of a run. */
function notesOn(environment: Readonly<Record<string, string>>): Fields {
  const home = environment['HEDDLE_HOME'];
  if (home === undefined) return {};
  const folder = environment['CLAUDE_CONFIG_DIR'] ?? environment['HOME'] ?? homedir();
  return objectAt(objectAt(read(join(folder, '.claude.json')), 'projects'), dirname(home));
}

function read(file: string): Fields {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    // Without notes there are no servers of the project; Claude Code itself reports a broken file.
    return {};
  }
}

/** Claude Code replaces `${NAME}` by the value of a variable. */
function withVariables(servers: Fields): { readonly servers: Fields; readonly values: Record<string, string> } {
  const values: Record<string, string> = {};
  const mapped = mapFields(servers, (server) =>
    isObject(server) ? { ...server, ...inTable(server, 'env', values), ...inTable(server, 'headers', values) } : server,
  );
  return { servers: mapped, values };
}

const mapFields = (fields: Fields, change: (value: unknown, key: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value, key)]));

/** The names of the variables say what is secret, so that it is redacted from what is stored. */
function inTable(server: Fields, table: 'env' | 'headers', values: Record<string, string>): Fields {
  const given = server[table];
  if (!isObject(given)) return {};
  const changed = mapFields(given, (value, key) => {
    // What refers to variables itself is no secret.
    if (typeof value !== 'string' || value.includes('${')) return value;
    const word = key.toUpperCase().replaceAll(/[^A-Z0-9]/gu, '_');
    const name = `MCP_${Object.keys(values).length + 1}_${word}${table === 'headers' ? '_KEY' : ''}`;
    values[name] = value;
    return `\${${name}}`;
  });
  return { [table]: changed };
}

const textsAt = (fields: Fields, name: string): readonly string[] => {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
};
