import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readLeases, writeLeases } from '../lease-file.ts';
import { watchLease } from './watch-lease.ts';

const LEASE_MS = 90_000;
const GRACE_MS = 5_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function givenLease() {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-lease-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'leases.json');
  const over: number[] = [];
  let skippedMs = 1_000_000;
  const startedAt = Date.now();
  const now = (): number => Date.now() - startedAt + skippedMs;
  const heard = (at: number, instance = 'one'): void =>
    void writeLeases(file, { instance, heardAt: new Map([['r-1', at]]) });
  const watch = (instance = 'one'): void => {
    const lease = { file, instance, leaseMs: LEASE_MS };
    const stop = watchLease({ lease, run: 'r-1', graceMs: GRACE_MS }, (graceMs) => over.push(graceMs), now);
    onTestFinished(stop);
  };
  return { file, over, now, heard, watch, sleep: (ms: number) => void (skippedMs += ms) };
}

test('a claim goes on as long as a server answers, and ends once when none does', () => {
  const { over, now, heard, watch } = givenLease();
  heard(now());
  watch();
  for (let answers = 0; answers < 20; answers += 1) {
    vi.advanceTimersByTime(30_000);
    heard(now());
  }
  expect(over).toEqual([]);
  vi.advanceTimersByTime(79_000);
  expect(over).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(over).toHaveLength(1);
  expect(over[0]).toBeGreaterThan(GRACE_MS - 1_100);
});

test('a machine that slept past the lease ends its claims at once, though its host has been answered since', () => {
  const { over, now, heard, watch, sleep } = givenLease();
  heard(now());
  watch();
  sleep(200_000);
  heard(now());
  vi.advanceTimersByTime(1_000);
  expect(over).toEqual([0]);
});

test('nothing begins without a lease, nor for a host program that another one has followed', () => {
  const unknown = givenLease();
  unknown.watch();
  expect(unknown.over).toEqual([0]);
  const followed = givenLease();
  followed.heard(followed.now(), 'two');
  followed.watch('one');
  expect(followed.over).toEqual([0]);
});

test('a file that is damaged, or of a time before the machine was started anew, says nothing', () => {
  const { file, now, heard } = givenLease();
  heard(now() + 1);
  expect(readLeases(file, now())?.heardAt).toEqual(new Map());
  writeFileSync(file, '{"instance":"one","heardAt":');
  expect(readLeases(file, now())).toBeUndefined();
});
