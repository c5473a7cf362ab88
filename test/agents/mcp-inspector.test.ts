// The command line of the MCP Inspector, by which people look at servers.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from '../e2e/world/given-project.given.ts';
import { ROOT } from '../e2e/heddle.given.ts';
import { need } from '../needs.given.ts';
import { fetched, programAt } from './programs.given.ts';

endProjectsAfterEach();

test('the Inspector lists the tools, calls one and reads prompts and templates', (context) => {
  need(context, fetched('mcp-inspector'));
  const { folder } = givenProject('tasks:\n  a: { run: "true" }\n');
  const inspect = (...words: readonly string[]): string => {
    const server = [process.execPath, join(ROOT, 'bin', 'heddle.js'), 'mcp'];
    const { stdout, stderr } = spawnSync(programAt('mcp-inspector'), ['--cli', ...server, ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder },
    });
    return `${stdout}${stderr}`;
  };
  expect(inspect('--method', 'tools/list')).toContain('"ceiling_usd"');
  expect(inspect('--method', 'tools/call', '--tool-name', 'check')).toContain('it can always finish');
  expect(inspect('--method', 'prompts/list')).toContain('unblock-a-run');
  expect(inspect('--method', 'resources/templates/list')).toContain('heddle://runs/{run}/report');
});
