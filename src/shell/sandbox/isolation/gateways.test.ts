import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { kindOfNeeds, type AgentAtWork } from './agent-needs.ts';
import { gatewaysOf } from './gateways.ts';

function givenFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-gateways-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const found = (
  kind: string,
  environment: Readonly<Record<string, string>>,
  more: Partial<AgentAtWork> & { readonly project?: string } = {},
) => gatewaysOf({ kind, environment, given: [], args: [], ...more }, more.project);

test('a gateway is found in the environment of the agent that heeds it, and of no other', () => {
  const HOME = givenFolder({});
  const environment = { HOME, ANTHROPIC_BASE_URL: 'http://127.0.0.1:4000/v1' };
  expect(found('claude', environment)).toEqual(['127.0.0.1:4000']);
  expect(found('gemini', environment)).toEqual([]);
  expect(found('command', environment)).toEqual([]);
});

test('a gateway is found in the settings of an agent, whatever their format', () => {
  const HOME = givenFolder({
    '.codex/config.toml': '[model_providers.ours]\nbase_url = "https://models.example.com/v1"\n',
    '.config/opencode/opencode.json': '{"provider":{"x":{"options":{"baseURL": "http://localhost:8080/v1"}}}}',
    '.claude/settings.json': '{"env":{"ANTHROPIC_BASE_URL":"https://gate.example.com"}}',
  });
  expect(found('codex', { HOME })).toEqual(['models.example.com:443']);
  expect(found('opencode', { HOME })).toEqual(['localhost:8080']);
  expect(found('claude', { HOME })).toEqual(['gate.example.com:443']);
});

test('a gateway is found in settings that the environment puts elsewhere, or holds', () => {
  const HOME = givenFolder({ '.codex/config.toml': 'base_url = "https://not-this.example.com"' });
  const elsewhere = givenFolder({
    'config.toml': 'base_url = "http://127.0.0.1:4001/v1"',
    'opencode/opencode.json': '{"baseURL":"http://127.0.0.1:4002"}',
    'some.json': '{"provider":{"x":{"api":"http://127.0.0.1:4003"}}}',
  });
  expect(found('codex', { HOME, CODEX_HOME: elsewhere })).toEqual(['127.0.0.1:4001']);
  expect(found('opencode', { HOME, XDG_CONFIG_HOME: elsewhere })).toEqual(['127.0.0.1:4002']);
  expect(found('opencode', { HOME, OPENCODE_CONFIG: join(elsewhere, 'some.json') })).toEqual(['127.0.0.1:4003']);
  expect(found('opencode', { HOME, OPENCODE_CONFIG_CONTENT: '{"baseURL": "http://127.0.0.1:4004"}' })).toEqual([
    '127.0.0.1:4004',
  ]);
});

test('a gateway is found in what the plan gives to an agent and adds to its call', () => {
  const HOME = givenFolder({});
  const table = 'model_providers.x={name="x",base_url="http://127.0.0.1:4005/v1",env_key="KEY"}';
  expect(found('codex', { HOME }, { args: ['-c', table] })).toEqual(['127.0.0.1:4005']);
  expect(found('codex', { HOME }, { args: ['-c', 'openai_base_url=http://localhost:4006'] })).toEqual([
    'localhost:4006',
  ]);
  const environment = { HOME, GATE: 'https://gate.example.com/x', OTHER: 'https://other.example.com' };
  expect(found('opencode', environment, { given: ['GATE'] })).toEqual(['gate.example.com:443']);
});

test('a gateway is found in the settings of the project, as its user has them', () => {
  const project = givenFolder({ 'opencode.json': '{"options":{"baseURL":"http://127.0.0.1:4007/v1"}}' });
  const HOME = givenFolder({});
  expect(found('opencode', { HOME }, { project })).toEqual(['127.0.0.1:4007']);
  expect(found('codex', { HOME }, { project })).toEqual([]);
});

test('an agent of the protocol needs what its program needs', () => {
  expect(kindOfNeeds({ use: 'acp', command: '/usr/local/bin/gemini --acp' })).toBe('gemini');
  expect(kindOfNeeds({ use: 'acp', command: 'claude-agent-acp' })).toBe('claude');
  expect(kindOfNeeds({ use: 'codex', command: undefined })).toBe('codex');
});

test('what is no address of the web names no gateway', () => {
  const HOME = givenFolder({});
  expect(found('claude', { HOME, ANTHROPIC_BASE_URL: 'not an address' })).toEqual([]);
  expect(found('claude', { HOME, ANTHROPIC_BASE_URL: 'file:///etc/passwd' })).toEqual([]);
});
