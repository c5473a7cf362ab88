// Agents on a machine that a test has furnished: programs are small scripts on a PATH of their own.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { detectAgents, findAgentProgram } from './detect-agents.ts';
import { tryAgent } from './try-agent.ts';

function furnish(programs: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const home = mkdtempSync(join(tmpdir(), 'heddle-detect-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const folder = join(home, 'programs');
  mkdirSync(folder);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { HOME: home, PATH: `${folder}:/usr/bin:/bin` };
}

const trying = (environment: Readonly<Record<string, string>>) => ({
  environment,
  priceOf: () => undefined,
  timeoutMs: 20_000,
  prompt: 'Say it.',
});

const RESULT =
  '{"type":"result","subtype":"success","is_error":false,"result":"ready","total_cost_usd":0.01,"usage":{"input_tokens":1,"output_tokens":1}}';

test('what is installed has a path and a version, and what is not says how to get it', async () => {
  const surroundings = furnish({ claude: 'echo "9.8.7 (a program)"', codex: 'exit 3' });
  const found = new Map((await detectAgents(surroundings)).map((agent) => [agent.use, agent]));
  expect(found.get('claude')).toMatchObject({ version: '9.8.7', login: { type: 'none' } });
  expect(found.get('claude')?.hint).toContain('log in');
  expect(found.get('claude')?.call.slice(0, 2)).toEqual(['claude', '-p']);
  expect(found.get('codex')).toMatchObject({ path: expect.stringContaining('/codex'), version: undefined });
  expect(found.get('gemini')).toMatchObject({ path: undefined, hint: expect.stringContaining('npm install') });
  expect(found.get('scripted')).toMatchObject({ login: { type: 'needless' } });
});

test('a key in the environment or a file of its own is a sign of a login, an empty file is none', async () => {
  const furnished = furnish({ claude: 'echo 1.0', codex: 'echo 1.0', pi: 'echo 1.0' });
  const surroundings = { ...furnished, ANTHROPIC_AUTH_TOKEN: 'x' };
  const home = furnished['HOME'] ?? '';
  mkdirSync(join(home, '.codex'));
  writeFileSync(join(home, '.codex', 'auth.json'), '{"tokens": {}}');
  mkdirSync(join(home, '.pi', 'agent'), { recursive: true });
  writeFileSync(join(home, '.pi', 'agent', 'auth.json'), '{}');
  const found = new Map((await detectAgents(surroundings)).map((agent) => [agent.use, agent.login]));
  expect(found.get('claude')).toEqual({ type: 'sign', by: 'ANTHROPIC_AUTH_TOKEN' });
  expect(found.get('codex')).toEqual({ type: 'sign', by: '~/.codex/auth.json' });
  expect(found.get('pi')).toEqual({ type: 'none' });
});

test('a folder or a file that may not be run is no program', () => {
  const surroundings = furnish({});
  const folder = (surroundings['PATH'] ?? '').split(':')[0] ?? '';
  mkdirSync(join(folder, 'claude'));
  writeFileSync(join(folder, 'codex'), '');
  expect(findAgentProgram('claude', surroundings)).toBeUndefined();
  expect(findAgentProgram('codex', { PATH: folder })).toBeUndefined();
  expect(findAgentProgram('codex', {})).toBeUndefined();
});

test('one that is tried answers, fails or is not there, and says so', async () => {
  const good = await tryAgent('claude', trying(furnish({ claude: `read -r line; echo '${RESULT}'` })));
  expect(good).toMatchObject({ verdict: { type: 'finished', result: { response: 'ready' } }, usage: { input: 1 } });
  const bad = await tryAgent('claude', trying(furnish({ claude: 'echo "Invalid API key" >&2; exit 1' })));
  expect(bad?.verdict).toMatchObject({ type: 'failed', reason: 'authentication' });
  const missing = await tryAgent('claude', trying({ PATH: '/nowhere' }));
  expect(missing?.verdict).toMatchObject({
    type: 'failed',
    message: expect.stringContaining('claude cannot be started'),
  });
  expect(await tryAgent('nobody', trying({}))).toBeUndefined();
  const hung = await tryAgent('claude', { ...trying(furnish({ claude: 'sleep 300' })), timeoutMs: 300 });
  expect(hung?.verdict).toMatchObject({ reason: 'crashed' });
});
