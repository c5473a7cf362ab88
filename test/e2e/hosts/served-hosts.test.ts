// `heddle serve` and `heddle host` as real processes, with real git between them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../patience.given.ts';
import { givenServed, type Begun, type ServedHere, type Server } from './serve.given.ts';

const PLAN = `heddle: 1
name: cloth
sandbox: { isolation: none }
tasks:
  warp: { run: echo warp > warp.txt && echo "in $HEDDLE_TASK" }
  weft: { run: echo weft > weft.txt }
  cloth:
    needs: [warp, weft]
    run: cat warp.txt weft.txt > cloth.txt
    check: grep -q weft cloth.txt
`;

interface HostHere {
  readonly home: string;
  readonly begin: () => Begun;
}

function givenHost({ begin, token }: ServedHere, { base }: Server, name: string): HostHere {
  const root = mkdtempSync(join(tmpdir(), 'heddle-served-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));
  const [file, home] = [join(root, 'token'), join(root, 'home')];
  writeFileSync(file, token(name), { mode: 0o600 });
  return { home, begin: () => begin('host', '--join', base, '--token-file', file, '--home', home) };
}

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();

test('a plan is carried out by hosts alone, and what they made is merged, checked and published', async () => {
  const served = givenServed(PLAN);
  const server = await served.serve('--width', '0');
  const names = ['one', 'two'];
  const hosts = names.map((name) => givenHost(served, server, name).begin());
  await vi.waitFor(
    () => {
      const { out } = served.heddle('hosts');
      for (const name of names) expect(out).toContain(name);
    },
    { timeout: PATIENCE_MS },
  );
  const run = served.begin('run', 'plan.yaml', '--plain');
  expect(await run.ended, run.printed()).toBe(0);
  expect(run.printed()).toContain('3 of 3 tasks completed');
  const made = git(served.project.folder, 'show', 'heddle/cloth-1:cloth.txt');
  expect(made).toBe('warp\nweft');
  const placed = served.events('cloth-1').filter(({ type }) => type === 'claim.placed');
  expect(new Set(placed.map(({ host }) => host))).toEqual(new Set(names));
  expect(served.heddle('logs', 'warp', '--run', 'cloth-1').out).toContain('in warp');
  for (const { child } of hosts) child.kill('SIGINT');
  expect(await Promise.all(hosts.map(({ ended }) => ended))).toEqual([0, 0]);
});
