import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { SandboxLimits } from '../../../core/plan/plan.ts';
import { processTreeOf, proportionalMemoryOf } from './process-tree.ts';
import { defaultMemory, startMonitor } from './resource-monitor.ts';
import { PATIENCE_MS } from '../../../../test/patience.given.ts';

const PLENTY: SandboxLimits = { disk: 1e12, memory: undefined, processes: 4_000 };

function givenFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-monitor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function monitoring(limits: Partial<SandboxLimits>, { isIsolated = true, folder = givenFolder() } = {}) {
  const exceeded: string[] = [];
  const said: string[] = [];
  const monitor = startMonitor(
    { folders: [folder], limits: { ...PLENTY, ...limits }, isIsolated, allowed: undefined, cgroup: undefined },
    { onLimitExceeded: (message) => exceeded.push(message), say: (sentence) => said.push(sentence) },
  );
  onTestFinished(async () => void (await monitor.stop()));
  return { monitor, exceeded, folder };
}

/** Starts as many as are asked for, below one that leads them. */
function starting(count: number, program = 'sleep 60'): number {
  const child = spawn('sh', ['-c', `for i in $(seq ${count}); do ${program} & done; wait`], {
    detached: true,
    stdio: 'ignore',
  });
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
  return child.pid ?? 0;
}

test('a folder that grows past its ceiling is told once', async () => {
  const { exceeded, folder } = await monitoring({ disk: 3_000_000 });
  writeFileSync(join(folder, 'large'), Buffer.alloc(8_000_000, 1));
  await expect.poll(() => exceeded.length, { timeout: PATIENCE_MS }).toBe(1);
  expect(exceeded[0]).toMatch(/took \d+ MB of the disk, and 3 MB is the most \(sandbox.limits.disk\)/);
});

test('a folder that somebody deletes is watched no more, and keeps nothing from going on', async () => {
  const { exceeded, folder } = await monitoring({ disk: 3_000_000 });
  rmSync(folder, { recursive: true });
  await setTimeout(600);
  expect(exceeded).toEqual([]);
});

test('programs that are too many, or take too much memory, are told', async () => {
  const many = await monitoring({ processes: 10 });
  many.monitor.watch(starting(20));
  await expect
    .poll(() => many.exceeded, { timeout: PATIENCE_MS })
    .toEqual([expect.stringContaining('limits.processes')]);
  const large = await monitoring({ memory: 60_000_000 });
  const eat = `${process.execPath} -e 'const a = Buffer.alloc(5e7, 1); setTimeout(() => a, 1e5)'`;
  large.monitor.watch(starting(3, eat));
  await expect.poll(() => large.exceeded, { timeout: PATIENCE_MS }).toEqual([expect.stringContaining('limits.memory')]);
});

test('memory that programs share counts once where it matters', async () => {
  const leader = starting(6);
  await expect.poll(() => processTreeOf(leader, 100).tasks, { timeout: PATIENCE_MS }).toBe(7);
  const tree = processTreeOf(leader, 100);
  expect(proportionalMemoryOf(tree.pids)).toBeLessThan(tree.memory);
  expect(proportionalMemoryOf(tree.pids)).toBeGreaterThan(0);
  expect(processTreeOf(leader, 3).tasks).toBe(4);
});

test('what runs without isolation is not counted, because nobody knows who belongs to it', async () => {
  const without = await monitoring({ processes: 2 }, { isIsolated: false });
  const within = await monitoring({ processes: 2 });
  const leader = starting(5);
  without.monitor.watch(leader);
  within.monitor.watch(leader);
  await expect.poll(() => within.exceeded.length, { timeout: PATIENCE_MS }).toBe(1);
  expect(without.exceeded).toEqual([]);
});

test('sockets are taken where there is a proxy for them, and nothing else that is sent', async () => {
  const request = { onLimitExceeded: () => undefined, say: () => undefined };
  const watched = { cgroup: undefined, folders: [givenFolder()], limits: PLENTY, isIsolated: true };
  const without = startMonitor({ ...watched, allowed: undefined }, request);
  const within = startMonitor({ ...watched, allowed: ['localhost'] }, request);
  const socket = createServer();
  within.onMessage?.({ destination: '' }, undefined);
  within.onMessage?.('nonsense', socket);
  within.onMessage?.({ destination: 7 }, socket);
  expect(socket.listenerCount('connection')).toBe(0);
  within.onMessage?.({ destination: '' }, socket);
  expect([socket.listenerCount('connection'), without.onMessage]).toEqual([1, undefined]);
  for (const monitor of [within, without]) await monitor.stop();
});

test('a plan that says nothing gets a share of the memory of the machine', () => {
  const gib = 1024 ** 3;
  expect([2, 8, 16, 64].map((machine) => defaultMemory(machine * gib) / gib)).toEqual([1, 4, 4, 16]);
});
