import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mcpServersOf } from './mcp-servers.ts';

/** Names of servers that the settings in these files name, in a home and a project. */
function given(
  kind: string,
  files: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string>> = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'heddle-servers-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const project = join(root, 'project');
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    const text = typeof value === 'string' ? value : JSON.stringify(value).replaceAll('PROJECT', project);
    writeFileSync(join(root, name), text);
  }
  const moved = Object.fromEntries(Object.entries(environment).map(([name, path]) => [name, join(root, path)]));
  const agent = { kind, environment: { HOME: join(root, 'home'), ...moved }, given: [], args: [] };
  return mcpServersOf(agent, project);
}

const namesOf = (servers: ReturnType<typeof given>): readonly string[] => servers.map(({ name }) => name);

test('Claude Code has servers of the user, of the project, and of the user in this project', () => {
  const servers = given('claude', {
    'home/.claude.json': {
      mcpServers: { all: { command: 'all' }, twice: { command: 'far' } },
      projects: {
        PROJECT: { mcpServers: { mine: { type: 'http', url: 'https://x' } }, disabledMcpjsonServers: ['refused'] },
        '/other': { mcpServers: { others: { command: 'x' } } },
      },
    },
    'project/.mcp.json': {
      mcpServers: { twice: { command: 'near', args: ['a'], env: { A: 'b' } }, refused: { command: 'x' } },
    },
  });
  expect(servers).toEqual([
    { name: 'all', type: 'program', command: 'all', args: [], cwd: undefined, environment: {} },
    { name: 'twice', type: 'program', command: 'near', args: ['a'], cwd: undefined, environment: { A: 'b' } },
    { name: 'mine', type: 'remote', url: 'https://x' },
  ]);
});

test('each program is read in its own form, where its environment puts its settings', () => {
  const codex = '[mcp_servers.a]\ncommand = "x"\ncwd = "/y"\n[mcp_servers.b]\nurl = "https://x"\nenabled = false\n';
  expect(given('codex', { 'elsewhere/config.toml': codex }, { CODEX_HOME: 'elsewhere' })).toEqual([
    { name: 'a', type: 'program', command: 'x', args: [], cwd: '/y', environment: {} },
  ]);
  const a = { type: 'local', command: ['x', 'y'], environment: { A: 'b' } };
  const opencode = { mcp: { a, b: { type: 'remote', url: 'https://x' } } };
  expect(given('opencode', { 'home/.config/opencode/opencode.jsonc': opencode })).toEqual([
    { name: 'a', type: 'program', command: 'x', args: ['y'], cwd: undefined, environment: { A: 'b' } },
    { name: 'b', type: 'remote', url: 'https://x' },
  ]);
  expect(namesOf(given('opencode', { 'other.json': opencode }, { OPENCODE_CONFIG: 'other.json' }))).toEqual(['a', 'b']);
  const gemini = { mcpServers: { a: { httpUrl: 'https://x' }, b: { command: '' }, c: 'wrong' } };
  expect(namesOf(given('gemini', { 'project/.gemini/settings.json': gemini }))).toEqual(['a']);
  expect(namesOf(given('qwen', { 'home/.qwen/settings.json': gemini }))).toEqual(['a']);
  expect(namesOf(given('copilot', { 'home/.copilot/mcp-config.json': gemini }))).toEqual(['a']);
});

test('settings that are not there or not known name no servers', () => {
  expect(given('claude', { 'home/.claude.json': '{ broken' })).toEqual([]);
  expect(given('claude', {})).toEqual([]);
  expect(given('mystery', {})).toEqual([]);
});
