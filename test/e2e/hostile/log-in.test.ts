// An agent finds itself logged in inside, by copies; commands and other kinds of agents do not.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openIntegration } from '../../../src/app/sandbox-parts.ts';
import { parsePlan } from '../../../src/core/plan/build/parse.ts';
import { isolation, skipUnless } from '../../needs.given.ts';
import { endPrisonsAfterEach, givenPrison, SECRET, type Prison } from './prison.given.ts';

endPrisonsAfterEach();
skipUnless(await isolation());

/** What a program prints in the sandbox of a task, which an agent of this kind has. */
async function inside(prison: Prison, kind: string | undefined, script: string): Promise<string> {
  const { plan } = parsePlan(readFileSync(prison.file('plan.yaml'), 'utf8'), { file: 'plan.yaml' });
  if (plan === undefined) throw new Error('The plan of this test is wrong.');
  const seen = { HOME: prison.userHome };
  const agent = kind === undefined ? undefined : { kind, environment: seen, given: [], args: [] };
  const integration = await openIntegration({
    home: prison.home,
    project: prison.folder,
    settings: plan.sandbox,
    agent,
    repairs: true,
  });
  if (integration.type === 'refused') throw new Error(integration.failure.code);
  const base = prison.git('rev-parse', 'HEAD');
  const opened = await integration.sandboxes.open({ run: 'r', task: 'one', base, from: undefined, at: 0 });
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  const { wrap, folder, environment, monitor } = opened.sandbox;
  const { stop } = await monitor({ onLimitExceeded: () => undefined, say: () => undefined });
  const [program = '', ...args] = wrap(['sh', '-c', script]);
  const said = execFileSync(program, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...environment } });
  await stop();
  return said;
}

test('an agent is logged in by private copies that no other sandbox sees', async () => {
  const prison = givenPrison({ sandbox: 'isolation: os, tree: checkout', tasks: 'tasks:\n  one: { run: "true" }\n' });
  const before = process.env['HOME'];
  process.env['HOME'] = prison.userHome;
  onTestFinished(() => void (process.env['HOME'] = before));
  const look = 'cat ~/.claude/.credentials.json 2>/dev/null; ls -A ~';
  expect(await inside(prison, 'claude', look)).toBe(`${SECRET}.claude\n`);
  expect(await inside(prison, 'codex', look)).toBe('');
  expect(await inside(prison, undefined, look)).toBe('');

  await inside(prison, 'claude', 'echo spoilt > ~/.claude/.credentials.json; echo planted > ~/.claude/settings.json');
  expect(readFileSync(join(prison.userHome, '.claude/.credentials.json'), 'utf8')).toBe(SECRET);
  expect(existsSync(join(prison.userHome, '.claude/settings.json'))).toBe(false);
  expect(await inside(prison, 'claude', look)).toContain('spoilt');
});

test('a log-in that an agent renews inside is the one that its user and the next agent have', async () => {
  const prison = givenPrison({ sandbox: 'isolation: os, tree: checkout', tasks: 'tasks:\n  one: { run: "true" }\n' });
  const before = process.env['HOME'];
  process.env['HOME'] = prison.userHome;
  onTestFinished(() => void (process.env['HOME'] = before));
  const users = join(prison.userHome, '.claude/.credentials.json');
  writeFileSync(users, '{"oauth":{"refresh":"once"}}');
  await inside(prison, 'claude', `echo '{"oauth":{"refresh":"again"}}' > ~/.claude/.credentials.json`);
  expect(readFileSync(users, 'utf8')).toBe('{"oauth":{"refresh":"again"}}\n');
  await inside(prison, 'claude', `echo '{"oauth":{"refresh":"again"},"hooks":"x"}' > ~/.claude/.credentials.json`);
  expect(readFileSync(users, 'utf8')).toBe('{"oauth":{"refresh":"again"}}\n');
});

test('links that an agent left in its home lead no copy outside', async () => {
  const prison = givenPrison({ sandbox: 'isolation: os, tree: checkout', tasks: 'tasks:\n  one: { run: "true" }\n' });
  const before = process.env['HOME'];
  process.env['HOME'] = prison.userHome;
  onTestFinished(() => void (process.env['HOME'] = before));
  const home = join(prison.home, 'sandboxes', 'r', 'one', 'home', 'of claude');
  await inside(prison, 'claude', `rm -rf ~/.claude; ln -s ${prison.outside} ~/.claude`);
  expect(existsSync(home)).toBe(true);
  await inside(prison, 'claude', 'true');
  expect(prison.traces()).toEqual([]);
  mkdirSync(join(prison.outside, 'real'));
  writeFileSync(join(prison.outside, 'real', 'file'), SECRET);
  symlinkSync(join(prison.outside, 'real'), join(prison.userHome, 'link'));
  expect(
    await inside(prison, 'claude', `cat ~/.claude/real/file ${prison.userHome}/link/file 2>/dev/null || true`),
  ).toBe('');
});
