// MCP servers of the user in turns of real programs: a tiny one that lives below the home folder, and one that cannot be had.
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../e2e/world/given-project.given.ts';
import { isolation, need } from '../needs.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';
import { CLAUDE, CODEX } from './kinds.given.ts';
import { fetched } from './programs.given.ts';
import { givenRealProject, type RealProject } from './runs/real-project.given.ts';

endProjectsAfterEach();

/** Speaks just enough of the protocol to offer one tool, which writes a file where the server works. */
const SERVER = `const { loud } = require('./lib/loud.js');
const { writeFileSync } = require('node:fs');
const tool = { name: 'note', description: 'Notes it.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } };
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { text } }) => {
    writeFileSync(text + '.txt', loud(process.env.WORD));
    return { content: [{ type: 'text', text: 'noted' }] };
  },
};
// As a server that fetches its packages first.
const late = new Promise((resolve) => setTimeout(resolve, Number(process.env.LATE_MS ?? 0)));
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  await late;
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method]?.(params) ?? {};
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;

/** Longer than Claude Code waits by itself, in either of its ways. */
const LATE_MS = '6000';

function write(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}

const serverIn = (root: string, env: Readonly<Record<string, string>>) => ({
  command: 'node',
  args: [join(root, 'server.js')],
  env,
});

/** Claude Code has the server for all projects and for this one, Codex for all; the home folder is the project's. */
function addServers({ folder }: RealProject): void {
  const root = join(folder, 'tools', 'notes');
  write(join(root, 'package.json'), '{}');
  write(join(root, 'server.js'), SERVER);
  write(join(root, 'lib', 'loud.js'), 'exports.loud = (word) => word.toUpperCase();\n');
  write(join(root, '.env'), 'SECRET=x');
  const server = (word: string) => serverIn(root, { WORD: word });
  const far = { type: 'http', url: 'https://mcp.example.com/x' };
  write(join(folder, '.claude.json'), {
    mcpServers: { notes: server('all'), far },
    projects: { [folder]: { mcpServers: { mine: server('mine') } } },
  });
  // It would make its model search for tools of servers first.
  write(join(folder, '.claude', 'settings.json'), { env: { ENABLE_TOOL_SEARCH: 'false' } });
  // Through a link, beside which its parts are not.
  const link = join(folder, 'bin', 'notes');
  mkdirSync(dirname(link));
  symlinkSync('../tools/notes/server.js', link);
  chmodSync(link, 0o755);
  const table = `[mcp_servers.notes]\ncommand = "node"\nargs = ["${link}"]\nenv = { WORD = "all" }\n`;
  writeFileSync(join(folder, '.codex', 'config.toml'), `${table}[mcp_servers.far]\nurl = "${far.url}"\n`, {
    flag: 'a',
  });
}

const call = (server: string, text: string): string => String.raw`@call mcp__${server}__note {\"text\":\"${text}\"}`;

const planFor = ({ folder }: RealProject, wanted: string): string => `heddle: 1
name: real
attempts: 1
sandbox: { isolation: ${wanted} }
tasks:
  claude:
    agent: claude
    prompt: "Note it.\\n${call('notes', 'all')}\\n${call('mine', 'mine')}\\n@run ls -A ${folder}/tools/notes > ls.txt\\n@say ok"
  codex:
    agent: codex
    prompt: "Note it.\\n${call('notes', 'codex')}\\n@say ok"
`;

test.for(['os', 'none'])(
  'servers below the home folder work in turns of two programs, with isolation %s',
  { timeout: 2 * PATIENCE_MS },
  async (wanted, context) => {
    for (const { program } of [CLAUDE, CODEX]) need(context, fetched(program));
    if (wanted === 'os') need(context, await isolation());
    const project = await givenRealProject({ tasks: '', kinds: [CLAUDE, CODEX] });
    addServers(project);
    writeFileSync(project.file('plan.yaml'), planFor(project, wanted));
    const ran = await project.heddle('run', '--json');
    const outputs = [await project.heddle('logs', 'claude'), await project.heddle('logs', 'codex')];
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}${outputs.map(({ out }) => out).join('')}`).toBe(0);
    const noted = ['all', 'mine', 'codex'].map((name) => project.git('show', `heddle/real-1:${name}.txt`));
    expect(noted).toEqual(['ALL', 'MINE', 'ALL']);
    if (wanted === 'none') return;
    expect(project.git('show', 'heddle/real-1:ls.txt')).toBe('lib\npackage.json\nserver.js');
    for (const { out } of outputs)
      expect(out).toContain('The MCP server far does not work under isolation: mcp.example.com');
  },
);

test.for([CLAUDE, CODEX])(
  'a turn of $use waits for a server that is late',
  { timeout: 2 * PATIENCE_MS },
  async ({ use, program }, context) => {
    need(context, fetched(program));
    const prompt = `Note it.\\n${call('notes', 'late')}\\n@say ok`;
    const tasks = `  a: { agent: ${use}, prompt: "${prompt}" }\n`;
    const project = await givenRealProject({ head: 'sandbox: { isolation: none }\n', tasks, kinds: [CLAUDE, CODEX] });
    addServers(project);
    const late = serverIn(join(project.folder, 'tools', 'notes'), { WORD: 'late', LATE_MS });
    // None of this project: for a server in its arguments Claude Code would wait by itself.
    write(join(project.folder, '.claude.json'), { mcpServers: { notes: late } });
    const settings = join(project.folder, '.codex', 'config.toml');
    write(settings, readFileSync(settings, 'utf8').replace('WORD = "all"', `WORD = "late", LATE_MS = "${LATE_MS}"`));
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
    expect(project.git('show', 'heddle/real-1:late.txt')).toBe('LATE');
  },
);
