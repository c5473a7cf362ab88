// The MCP servers that the settings of an agent name: the user's own, those of the project, and those that the user has for
// this project alone.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentAtWork } from './agent-needs.ts';
import { settingsOf } from './agent-settings.ts';
import { isTable, readJsonTable, readTomlTable, tableAt, type Table } from './settings-formats.ts';

export type McpServer = { readonly name: string } & (
  | {
      readonly type: 'program';
      readonly command: string;
      readonly args: readonly string[];
      /** The folder in which it is started; undefined is the tree. */
      readonly cwd: string | undefined;
      /** What it is given besides the environment of its agent. */
      readonly environment: Readonly<Record<string, string>>;
    }
  | { readonly type: 'remote'; readonly url: string }
);

interface ServerSettings {
  /** Files of the home folder, as the agent's needs name them, and of a project. */
  readonly ofUser: readonly string[];
  readonly ofProject: readonly string[];
  readonly read: (text: string) => Table;
  /** The key under which servers stand. */
  readonly key: string;
}

const JSON_SERVERS = { read: readJsonTable, key: 'mcpServers' } as const;
const OPENCODE_FILES = ['opencode.json', 'opencode.jsonc'];

const SETTINGS: ReadonlyMap<string, ServerSettings> = new Map([
  ['claude', { ofUser: ['.claude.json'], ofProject: ['.mcp.json'], ...JSON_SERVERS }],
  ['gemini', { ofUser: ['.gemini/settings.json'], ofProject: ['.gemini/settings.json'], ...JSON_SERVERS }],
  ['qwen', { ofUser: ['.qwen/settings.json'], ofProject: ['.qwen/settings.json'], ...JSON_SERVERS }],
  ['copilot', { ofUser: ['.copilot/mcp-config.json'], ofProject: [], ...JSON_SERVERS }],
  [
    'codex',
    { ofUser: ['.codex/config.toml'], ofProject: ['.codex/config.toml'], read: readTomlTable, key: 'mcp_servers' },
  ],
  [
    'opencode',
    {
      ofUser: OPENCODE_FILES.map((name) => `.config/opencode/${name}`),
      ofProject: [...OPENCODE_FILES, ...OPENCODE_FILES.map((name) => `.opencode/${name}`)],
      read: readJsonTable,
      key: 'mcp',
    },
  ],
]);

/** Of a name that is given twice, the one that is nearer to the project. */
export function mcpServersOf(agent: AgentAtWork, project: string | undefined): readonly McpServer[] {
  const settings = SETTINGS.get(agent.kind);
  if (settings === undefined) return [];
  const { read, key } = settings;
  const users = filesOf(agent, settings).map((file) => read(textAt(file)));
  const own = users.map((table) => ofProjectIn(table, project));
  const projects = project === undefined ? [] : settings.ofProject.map((path) => read(textAt(join(project, path))));
  const refused = new Set(own.flatMap((table) => listAt(table, 'disabledMcpjsonServers')));
  const shared = projects.flatMap((table) => serversIn(table, key).filter(({ name }) => !refused.has(name)));
  const all = [
    ...users.flatMap((table) => serversIn(table, key)),
    ...shared,
    ...own.flatMap((table) => serversIn(table, key)),
  ];
  return [...new Map(all.map((server) => [server.name, server])).values()];
}

/** Where the agent's settings are outside: a folder that is brought holds more than one file. */
function filesOf(agent: AgentAtWork, { ofUser }: ServerSettings): readonly string[] {
  const { brought, readable } = settingsOf(agent);
  const found = ofUser.flatMap((path) =>
    brought.flatMap(({ from, to }) => {
      if (path === to) return [from];
      return path.startsWith(`${to}/`) ? [join(from, path.slice(to.length + 1))] : [];
    }),
  );
  return [...found, ...(agent.kind === 'opencode' ? readable : [])];
}

/** What Claude Code notes of one project, by its path. */
const ofProjectIn = (table: Table, project: string | undefined): Table =>
  tableAt(tableAt(table, 'projects'), project ?? '');

const serversIn = (table: Table, key: string): readonly McpServer[] =>
  Object.entries(tableAt(table, key)).flatMap(([name, entry]) => (isTable(entry) ? serverOf(name, entry) : []));

function serverOf(name: string, entry: Table): readonly McpServer[] {
  if (entry['enabled'] === false || entry['disabled'] === true) return [];
  const url = ['url', 'httpUrl', 'serverUrl'].map((key) => entry[key]).find((value) => typeof value === 'string');
  if (typeof url === 'string') return [{ name, type: 'remote', url }];
  const { command: written, cwd } = entry;
  // opencode has the program and its arguments in one list.
  const [command, ...args] = typeof written === 'string' ? [written] : listAt(entry, 'command');
  if (command === undefined || command === '') return [];
  const words = [...args, ...listAt(entry, 'args')];
  const environment = Object.fromEntries(
    ['env', 'environment']
      .flatMap((key) => Object.entries(tableAt(entry, key)))
      .flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
  const folder = typeof cwd === 'string' ? cwd : undefined;
  return [{ name, type: 'program', command, args: words, cwd: folder, environment }];
}

function listAt(table: Table, key: string): readonly string[] {
  const value = table[key];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

const FILE_MAX_BYTES = 16 * 1024 ** 2;

function textAt(file: string): string {
  try {
    return statSync(file).size <= FILE_MAX_BYTES ? readFileSync(file, 'utf8') : '';
  } catch {
    // Without settings there are no servers.
    return '';
  }
}
