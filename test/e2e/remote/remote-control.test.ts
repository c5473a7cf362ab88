// Control of runs at a server from another machine: every command that changes a run, with its questions.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../patience.given.ts';
import { atTerminal, openSession, type Session } from '../live/at-terminal.given.ts';
import { givenFolder, givenServed, type GivenClient, type GivenServed } from './served.given.ts';

const soon = { timeout: PATIENCE_MS, interval: 50 };

const HELD = `heddle: 1
name: held
sandbox: { tree: none }
tasks:
  a: { run: "test -e go || exit 1" }
  ship: { gate: Ship it?, needs: [a] }
  late: { needs: [ship], run: echo late }
  spare: { needs: [late], run: echo spare }
`;

const until = (client: GivenClient, words: readonly string[], text: string): Promise<void> =>
  vi.waitFor(async () => expect((await client.ask(words)).out).toContain(text), soon);

test('a run is paused, resumed, stopped, retried, answered and ended from afar, with the codes of commands here', async () => {
  const served = await givenServed({ 'a.txt': 'a\n' });
  const client = served.client({ 'plan.yaml': HELD });
  const { code, errors } = await client.ask(['run', '--no-git', '--wait', '0']);
  expect(code, errors).toBe(1);
  writeFileSync(join(served.folder, 'go'), '');
  expect(await client.ask(['retry', 'a', '--wait', '0'])).toMatchObject({ code: 3 });
  await until(client, ['explain', 'a'], 'a');
  expect((await client.ask(['pause', 'late'])).code).toBe(0);
  expect((await client.ask(['approve', 'ship'])).code).toBe(0);
  await until(client, ['status'], 'paused');
  expect((await client.ask(['skip', 'spare'])).code).toBe(0);
  expect((await client.ask(['resume', 'late'])).code).toBe(0);
  const { out } = await client.ask(['status', '--json']);
  expect(JSON.parse(out)).toMatchObject({ run: 'held-1', stage: 'ended' });
  expect((await client.ask(['logs', 'late'])).out).toBe('late\n');
  const none = await client.ask(['cancel', 'held-1']);
  expect({ code: none.code, isTold: none.out + none.errors !== '' }).toEqual({ code: 0, isTold: true });
});

const GROWS = `heddle: 1
name: grows
sandbox: { tree: none }
tasks:
  ship: { gate: Ship it? }
`;

test('the plan of a run is amended with a plan file of the client, after its preview', async () => {
  const served = await givenServed({ 'a.txt': 'a\n' });
  const client = served.client({ 'plan.yaml': GROWS });
  expect((await client.ask(['run', '--no-git', '--detach'])).code).toBe(0);
  await until(client, ['status'], 'Ship it?');
  writeFileSync(join(client.folder, 'plan.yaml'), `${GROWS}  more: { run: echo more }\n`);
  const dry = await client.ask(['amend', '--dry-run']);
  expect(dry, dry.errors).toMatchObject({ code: 0 });
  expect(dry.out).toContain('more');
  const asked = await client.ask(['amend', 'grows-1', 'plan.yaml']);
  expect(asked).toMatchObject({ code: 2 });
  expect(asked.errors).toContain('add --yes');
  expect(await client.ask(['amend', 'plan.yaml', '--yes'])).toMatchObject({ code: 0 });
  await until(client, ['logs', 'more'], 'more');
  expect((await client.ask(['stop'])).code).toBe(0);
});

const WORKS = `heddle: 1
name: works
tasks:
  a: { run: "echo b > b.txt" }
`;

function sessionOf({ url, tokenOf }: GivenServed, { folder }: GivenClient, words: readonly string[]): Session {
  const token = join(givenFolder({ token: `${tokenOf('operator')}\n` }), 'token');
  return openSession(words, { cwd: folder, env: { HEDDLE_SERVER: url, HEDDLE_TOKEN_FILE: token, LANG: 'C.UTF-8' } });
}

atTerminal('what a command asks is asked at the terminal of the person, in its colours and width', async () => {
  const served = await givenServed({ 'a.txt': 'a\n' });
  const client = served.client({ 'plan.yaml': WORKS });
  const run = sessionOf(served, client, ['run']);
  await run.shows('[y/N]');
  run.type('n\r');
  expect((await run.end()).code).toBe(0);
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', served.folder, ...words], { encoding: 'utf8' }).trim();
  expect(git('log', '--format=%s', 'main')).toBe('first');
  const land = sessionOf(served, client, ['land']);
  await land.shows('[y/N]');
  land.type('y\r');
  expect(await land.end()).toEqual({ code: 0, isCooked: true });
  expect(land.raw()).toContain('\u001B[');
  expect(readFileSync(join(served.folder, 'b.txt'), 'utf8')).toBe('b\n');
});
