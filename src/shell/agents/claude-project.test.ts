import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launchOf, requestOf } from './transcripts.given.ts';

/** How Claude Code is started for a project that it has noted this of. */
function launched(noted: unknown, args: readonly string[] = []) {
  const home = mkdtempSync(join(tmpdir(), 'heddle-claude-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ projects: { '/people/shop': noted } }));
  const environment = { HOME: home, HEDDLE_HOME: '/people/shop/.heddle' };
  return launchOf(requestOf('claude', { environment }, { args }));
}

const SERVERS = {
  db: { command: 'db', args: ['--all'], env: { DB_TOKEN: 'hidden-0', DB_HOST: '${DB_HOST}' } },
  far: { type: 'http', url: 'https://x', headers: { Authorization: 'Bearer hidden-1' } },
  odd: 'wrong',
};

test('servers that the user added for this project alone are given to Claude Code, without their secrets in the call', () => {
  const { args, environment } = launched({ mcpServers: SERVERS });
  const given = args.find((word) => word.startsWith('--mcp-config='))?.slice('--mcp-config='.length) ?? '';
  expect(JSON.parse(given)).toEqual({
    mcpServers: {
      db: { command: 'db', args: ['--all'], env: { DB_TOKEN: '${MCP_1_DB_TOKEN}', DB_HOST: '${DB_HOST}' } },
      far: { type: 'http', url: 'https://x', headers: { Authorization: '${MCP_2_AUTHORIZATION_KEY}' } },
      odd: 'wrong',
    },
  });
  expect(environment).toMatchObject({ MCP_1_DB_TOKEN: 'hidden-0', MCP_2_AUTHORIZATION_KEY: 'Bearer hidden-1' });
  expect(args.join(' ')).not.toContain('hidden');
});

test('servers of the project that the user refused stay refused', () => {
  const { args } = launched({ disabledMcpjsonServers: ['bad'] });
  expect(args[args.indexOf('--settings') + 1]).toBe('{"disabledMcpjsonServers":["bad"]}');
});

test('nothing is added where nothing is noted, or where the plan says which servers there are', () => {
  for (const noted of [{}, 'wrong', { mcpServers: {} }])
    expect(launched(noted).args.join(' ')).not.toMatch(/mcp-config|--settings/);
  const strict = launched({ mcpServers: SERVERS, disabledMcpjsonServers: ['x'] }, [
    '--strict-mcp-config',
    '--settings=x',
  ]);
  expect(strict.args.join(' ')).not.toMatch(/mcpServers|disabledMcp/);
  expect(strict.environment).not.toHaveProperty('MCP_1_DB_TOKEN');
});
