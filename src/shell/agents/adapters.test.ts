// How turns start: the arguments of each program, its environment, and its limits.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Agent } from '../../core/plan/plan.ts';
import type { Launch, TurnRequest } from '../ports/agents.ts';
import { ADAPTERS } from './adapters.ts';
import { launchOf, requestOf } from './transcripts.given.ts';

const CONTINUED = { conversation: { id: 'abc', mode: 'continue', reading: undefined } } as const;
const FORKED = { conversation: { id: 'abc', mode: 'fork', reading: undefined } } as const;

test.each([
  ['claude', ['--resume', 'abc'], ['--resume', 'abc', '--fork-session']],
  ['codex', ['resume', 'abc', '-'], ['fork', 'abc', '-']],
  ['opencode', ['--session', 'abc'], ['--session', 'abc', '--fork']],
  ['pi', ['--session', 'abc'], ['--fork', 'abc']],
])('%s goes on with a conversation and branches off it in its own words', (use, continued, forked) => {
  expect(launchOf(requestOf(use, CONTINUED)).args.slice(-continued.length)).toEqual(continued);
  expect(launchOf(requestOf(use, FORKED)).args.slice(-forked.length)).toEqual(forked);
});

test.each([['gemini'], ['acp'], ['command']])('%s cannot branch off a conversation, and says so', (use) => {
  const refused = ADAPTERS.get(use)?.launch(requestOf(use, FORKED, { command: 'goose' }));
  expect(refused).toMatchObject({ type: 'unlaunchable', message: expect.stringContaining('resume: false') });
});

test('the prompt reaches a program on its standard input, whatever is in it', () => {
  const prompt = '--help\n"quoted" $(touch x) \u0000';
  const written: string[] = [];
  const peer = { cwd: '/', write: (line: string) => void written.push(line), leave: () => undefined };
  launchOf(requestOf('claude', { prompt })).dialogue?.begin(peer);
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ message: { content: [{ text: prompt }] } });
  for (const use of ['codex', 'opencode', 'gemini', 'pi', 'command'])
    expect(launchOf(requestOf(use, { prompt }, { command: 'cat' })).input).toBe(prompt);
  const asArgument = launchOf(
    requestOf('command', { prompt: '$HOME `x`' }, { command: 'say', args: ['-m', '{prompt}'] }),
  );
  expect(asArgument).toMatchObject({ input: undefined, args: ['-c', 'say "$@"', 'sh', '-m', '$HOME `x`'] });
});

test('the model and the words of people come last, and theirs about permissions are the only ones', () => {
  const asked = launchOf(requestOf('claude', {}, { model: 'opus', args: ['--permission-mode', 'plan'] })).args;
  expect(asked.slice(-4)).toEqual(['--model', 'opus', '--permission-mode', 'plan']);
  expect(asked.filter((word) => word === '--permission-mode')).toHaveLength(1);
  expect(launchOf(requestOf('codex', {}, { args: ['--sandbox=read-only'] })).args).not.toContain(
    '--dangerously-bypass-approvals-and-sandbox',
  );
  expect(launchOf(requestOf('gemini', {}, { model: 'm', args: ['--approval-mode=auto_edit'] })).args).not.toContain(
    'yolo',
  );
  for (const use of ['codex', 'opencode', 'pi'])
    expect(launchOf(requestOf(use, {}, { model: 'm' })).args).toContain('m');
  const rooted = launchOf(requestOf('claude', {}, { args: ['--dangerously-skip-permissions'] })).environment;
  expect(rooted['IS_SANDBOX']).toBe(process.getuid?.() === 0 ? '1' : undefined);
});

const GATE = { permissions: { policy: 'gate', granted: [], refused: [] } } as const;

/** The messages of a dialogue to an agent that has opened its session. */
function written({ dialogue }: Launch): string {
  const lines: string[] = [];
  dialogue?.begin({ cwd: '/', write: (line) => void lines.push(line), leave: () => undefined });
  for (const id of [1, 2]) dialogue?.receive(JSON.stringify({ id, result: { sessionId: 's-1' } }));
  return lines.join('\n');
}

test('a program that is to ask is told to, in its own words, and answered by ours', () => {
  const claude = launchOf(requestOf('claude', { ...GATE, allow: ['edit'], ...CONTINUED }));
  expect(claude.args.join(' ')).toContain('--permission-prompt-tool stdio --permission-mode manual --resume abc');
  expect(claude.args).not.toContain('--allowedTools');
  const request = { subtype: 'can_use_tool', tool_name: 'Edit', input: { file_path: 'src/a' } };
  const answered = claude.dialogue?.receive(JSON.stringify({ type: 'control_request', request_id: '1', request }));
  expect(answered).toEqual([
    JSON.stringify({ type: 'permission', tool: 'Edit: src/a', isAllowed: true, isByPerson: false }),
  ]);
  const theirs = launchOf(requestOf('claude', GATE, { args: ['--permission-mode', 'acceptEdits'] }));
  expect(theirs.args).not.toContain('manual');
  const acp = (command: string) => launchOf(requestOf('acp', GATE, { command }));
  expect([acp('qwen').program, ...acp('qwen').args]).toEqual(['qwen', '--acp']);
  expect(acp('copilot').args).not.toContain('--allow-all');
  expect(written(acp('gemini'))).not.toContain('yolo');
  expect(written(launchOf(requestOf('acp', {}, { command: 'gemini' })))).toContain('"modeId":"yolo"');
  expect(acp('goose').environment['GOOSE_MODE']).toBe('approve');
  expect(acp('opencode').environment['OPENCODE_PERMISSION']).toContain('"edit":"ask"');
  expect(written(acp('codex-acp'))).toContain('"modeId":"read-only"');
});

test('a program that cannot ask is held to the safest that it has', () => {
  const request = { ...GATE, allow: ['edit', 'Bash(npm test*)', 'fetch'] };
  const codex = launchOf(requestOf('codex', request)).args;
  expect(codex.join(' ')).toContain('--sandbox workspace-write');
  expect(codex).not.toContain('--dangerously-bypass-approvals-and-sandbox');
  const gemini = launchOf(requestOf('gemini', request)).args.join(' ');
  expect(gemini).toContain('--approval-mode default --allowed-tools write_file,replace,run_shell_command(npm test)');
  expect(launchOf(requestOf('gemini', GATE)).args).not.toContain('--allowed-tools');
  expect(launchOf(requestOf('gemini', { ...GATE, allow: ['Bash'] })).args).toContain('run_shell_command');
  const opencode = (allow: readonly string[]): unknown =>
    JSON.parse(launchOf(requestOf('opencode', { ...GATE, allow })).environment['OPENCODE_PERMISSION'] ?? '');
  expect(opencode(request.allow)).toMatchObject({
    edit: 'allow',
    webfetch: 'allow',
    task: 'deny',
    bash: { '*': 'deny', 'npm test*': 'allow' },
  });
  expect(opencode(['execute'])).toMatchObject({ edit: 'deny', bash: 'allow' });
});

test.each([
  ['pi', []],
  ['command', []],
  ['claude', ['--dangerously-skip-permissions']],
  ['claude', ['--permission-mode=bypassPermissions']],
  ['codex', ['--yolo']],
  ['codex', ['--sandbox', 'danger-full-access']],
  ['opencode', ['--auto']],
  ['gemini', ['--approval-mode=yolo']],
  ['acp', ['--allow-all']],
])('%s with %j, which would ask about nothing, is not started where permissions are to be kept', (use, args) => {
  const agent = { command: 'x', args };
  const refused = ADAPTERS.get(use)?.launch(requestOf(use, GATE, agent));
  expect(refused).toMatchObject({ type: 'unlaunchable', message: expect.stringContaining('permissions: allow') });
  expect(launchOf(requestOf(use, {}, agent)).program).not.toBe('');
});

test('a shape that is declared is given to a program that can hold to it', () => {
  const { args } = launchOf(requestOf('claude', { schema: { type: 'object' } }));
  expect(args.slice(-2)).toEqual(['--json-schema', '{"type":"object"}']);
});

test('claude is told what it may spend, unless people have said it', () => {
  const told = launchOf(requestOf('claude', { ceilingUsd: 0.00000125 })).args;
  expect(told.slice(-2)).toEqual(['--max-budget-usd', '0.000001']);
  const theirs = launchOf(requestOf('claude', { ceilingUsd: 2 }, { args: ['--max-budget-usd=1'] })).args;
  expect(theirs.filter((word) => word.startsWith('--max-budget-usd'))).toEqual(['--max-budget-usd=1']);
  expect(launchOf(requestOf('claude', { ceilingUsd: 0 })).args).not.toContain('--max-budget-usd');
});

test('codex is given a shape that its provider can hold a model to, and its own words stay in request', () => {
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const { program, args } = launchOf(requestOf('codex', { schema, ...CONTINUED }));
  expect([program, args[0]]).toEqual(['/bin/sh', '-c']);
  expect(args.slice(3, 5)).toEqual([JSON.stringify(schema), 'exec']);
  expect(args.slice(-3)).toEqual(['resume', 'abc', '-']);
  expect(launchOf(requestOf('codex', { schema: { type: 'object' } })).program).toBe('codex');
});

test('of the environment only what is allowed reaches an agent, and what people set is stronger than a default', () => {
  const environment = {
    PATH: '/bin',
    LC_ALL: 'C',
    HEDDLE_RUN: 'r-1',
    ANTHROPIC_API_KEY: 'mine',
    OPENAI_API_KEY: 'other',
    DATABASE_PASSWORD: 'no',
    CLAUDE_CODE_MAX_RETRIES: '9',
    MCP_CONNECT_TIMEOUT_MS: '99',
  };
  expect(launchOf(requestOf('claude', { environment })).environment).toEqual({
    PATH: '/bin',
    LC_ALL: 'C',
    HEDDLE_RUN: 'r-1',
    ANTHROPIC_API_KEY: 'mine',
    CLAUDE_CODE_MAX_RETRIES: '9',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    MCP_CONNECTION_NONBLOCKING: '0',
    MCP_CONNECT_TIMEOUT_MS: '99',
  });
});

test('an agent sees what the plan names for it, and one that is to see what is not set is not started', () => {
  const environment = { PATH: '/bin', MY_KEY: 'k-1', OTHER: 'no' };
  const orderWith = (env: Agent['env']): TurnRequest => {
    const request = requestOf('command', { environment });
    return { ...request, agent: { ...request.agent, command: './agent.sh', env } };
  };
  const seen = launchOf(orderWith([{ name: 'MY_KEY', value: undefined }])).environment;
  expect(seen).toEqual({ PATH: '/bin', MY_KEY: 'k-1' });
  const made = launchOf(orderWith([{ name: 'HEADER', value: 'Bearer ${MY_KEY}, $MY_KEY' }])).environment;
  expect(made).toEqual({ PATH: '/bin', HEADER: 'Bearer k-1, $MY_KEY' });
  const missing = ADAPTERS.get('command')?.launch(orderWith([{ name: 'A', value: '${NOBODY_SET_IT}' }]));
  expect(missing).toMatchObject({ type: 'unlaunchable', message: expect.stringContaining('NOBODY_SET_IT') });
});

test('a program that speaks the protocol is started in its own way, unless people say how', () => {
  const wordsOf = (command: string, args: readonly string[] = []): readonly string[] => {
    const launch = launchOf(requestOf('acp', {}, { command, args }));
    return [launch.program, ...launch.args];
  };
  expect(wordsOf('goose')).toEqual(['goose', 'acp']);
  expect(wordsOf('/opt/bin/qwen', ['--model', 'x'])).toEqual(['/opt/bin/qwen', '--acp', '--yolo', '--model', 'x']);
  expect(wordsOf('goose serve --stdio')).toEqual(['goose', 'serve', '--stdio']);
  expect(wordsOf('my-own-agent')).toEqual(['my-own-agent']);
});

test('codex sees the keys of providers that its own settings name, and nothing else', () => {
  const home = mkdtempSync(join(tmpdir(), 'heddle-codex-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, '.codex'));
  const settings = '[model_providers.mine]\nenv_key = "MY_KEY"\nenv_http_headers = { "X-Team" = "MY_TEAM" }\n';
  writeFileSync(join(home, '.codex', 'config.toml'), settings);
  const environment = { HOME: home, MY_KEY: 'k', MY_TEAM: 't', OTHER: 'o', ARG_KEY: 'a' };
  const args = ['-c', 'model_providers.there={env_key="ARG_KEY"}'];
  const { environment: seen } = launchOf(requestOf('codex', { environment }, { args }));
  expect(seen).toEqual({ HOME: home, MY_KEY: 'k', MY_TEAM: 't', ARG_KEY: 'a' });
  expect(launchOf(requestOf('codex', { environment: { ...environment, HOME: '/nowhere' } })).environment).toEqual({
    HOME: '/nowhere',
  });
});
