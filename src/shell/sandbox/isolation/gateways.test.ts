import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { kindOfNeeds } from './agent-needs.ts';
import { gatewaysOf } from './gateways.ts';

function givenHome(files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), 'heddle-gateways-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

test('a gateway is found in the environment of the agent that heeds it, and of no other', () => {
  const HOME = givenHome({});
  const environment = { HOME, ANTHROPIC_BASE_URL: 'http://127.0.0.1:4000/v1' };
  expect(gatewaysOf('claude', environment)).toEqual(['127.0.0.1:4000']);
  expect(gatewaysOf('gemini', environment)).toEqual([]);
  expect(gatewaysOf('command', environment)).toEqual([]);
});

test('a gateway is found in the settings of an agent, whatever their format', () => {
  const HOME = givenHome({
    '.codex/config.toml': '[model_providers.ours]\nbase_url = "https://models.example.com/v1"\n',
    '.config/opencode/opencode.json': '{"provider":{"x":{"options":{"baseURL": "http://localhost:8080/v1"}}}}',
    '.claude/settings.json': '{"env":{"ANTHROPIC_BASE_URL":"https://gate.example.com"}}',
  });
  expect(gatewaysOf('codex', { HOME })).toEqual(['models.example.com:443']);
  expect(gatewaysOf('opencode', { HOME })).toEqual(['localhost:8080']);
  expect(gatewaysOf('claude', { HOME })).toEqual(['gate.example.com:443']);
});

test('an agent of the protocol needs what its program needs', () => {
  expect(kindOfNeeds({ use: 'acp', command: '/usr/local/bin/gemini --acp' })).toBe('gemini');
  expect(kindOfNeeds({ use: 'acp', command: 'claude-agent-acp' })).toBe('claude');
  expect(kindOfNeeds({ use: 'codex', command: undefined })).toBe('codex');
});

test('what is no address of the web names no gateway', () => {
  const HOME = givenHome({});
  expect(gatewaysOf('claude', { HOME, ANTHROPIC_BASE_URL: 'not an address' })).toEqual([]);
  expect(gatewaysOf('claude', { HOME, ANTHROPIC_BASE_URL: 'file:///etc/passwd' })).toEqual([]);
});
