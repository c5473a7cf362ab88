import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { settingsOf, type AgentSettings } from './agent-settings.ts';

const HOME = homedir();

const settled = (
  kind: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): AgentSettings => settingsOf({ kind, environment: { HOME, ...environment }, given: [], args });

const sourceOf = ({ brought }: AgentSettings, path: string): string | undefined =>
  brought.find(({ to }) => to === path)?.from;

test('an agent is brought its settings from the home folder', () => {
  const settings = settled('codex', {});
  expect(settings).toMatchObject({ name: 'of codex', readable: [], unset: [] });
  expect(settings.renewed).toEqual([{ from: join(HOME, '.codex/auth.json'), to: '.codex/auth.json' }]);
  expect(settingsOf(undefined)).toMatchObject({ name: 'plain', brought: [] });
  expect(settled('command', {})).toMatchObject({ name: 'plain', brought: [] });
});

test.each([
  ['codex', 'CODEX_HOME', '.codex/config.toml', '/elsewhere/config.toml'],
  ['claude', 'CLAUDE_CONFIG_DIR', '.claude/settings.json', '/elsewhere/settings.json'],
  ['claude', 'CLAUDE_CONFIG_DIR', '.claude.json', '/elsewhere/.claude.json'],
  ['gemini', 'GEMINI_CLI_HOME', '.gemini/settings.json', '/elsewhere/.gemini/settings.json'],
  ['pi', 'PI_CODING_AGENT_DIR', '.pi/agent/models.json', '/elsewhere/models.json'],
  ['opencode', 'XDG_CONFIG_HOME', '.config/opencode', '/elsewhere/opencode'],
  ['opencode', 'XDG_DATA_HOME', '.local/share/opencode/auth.json', '/elsewhere/opencode/auth.json'],
])('%s is brought from where %s says what it then finds as ~/%s', (...[kind, variable, path, from]) => {
  const settings = settled(kind, { [variable]: '/elsewhere' });
  expect(sourceOf(settings, path)).toBe(from);
  expect(settings.unset).toEqual([variable]);
});

test('who is logged in as somebody else has another home folder', () => {
  const environments: readonly Readonly<Record<string, string>>[] = [
    {},
    { CODEX_HOME: '/one' },
    { CODEX_HOME: '/other' },
    { HOME: '/somebody' },
  ];
  expect(new Set(environments.map((environment) => settled('codex', environment).name)).size).toBe(4);
  expect(sourceOf(settled('codex', { HOME: '/somebody' }), '.codex/auth.json')).toBe('/somebody/.codex/auth.json');
});

test('a folder that is named from where one stands is left to the agent', () => {
  expect(settled('codex', { CODEX_HOME: 'here' })).toMatchObject({ name: 'of codex', unset: [] });
});

test('files that the environment or the plan names are there to be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'settings.json');
  writeFileSync(file, '{}');
  expect(settled('opencode', { OPENCODE_CONFIG: '/some/opencode.json' }).readable).toEqual(['/some/opencode.json']);
  expect(settled('claude', {}, ['--settings', file]).readable).toEqual([file]);
  expect(settled('claude', {}, [`--settings=${file}`, '--add-dir', folder, 'settings.json']).readable).toEqual([file]);
});
