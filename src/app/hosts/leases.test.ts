import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readLeases } from '../../shell/host/lease-file.ts';
import { openLeases, type Leases } from './leases.ts';

function givenLeases() {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-leases-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let now = 1_000;
  const open = (instance: string): Leases => openLeases({ folder, instance }, () => now);
  return {
    open,
    at: (time: number) => void (now = time),
    read: () => readLeases(join(folder, 'leases.json'), now),
    heardAt: () => Object.fromEntries(readLeases(join(folder, 'leases.json'), now)?.heardAt ?? []),
  };
}

const heard = (run: string, uncertainMs = 0) => [{ run, uncertainMs }];

test('a run was heard when the message was composed, and not when it was answered', () => {
  const { open, at, heardAt } = givenLeases();
  const leases = open('one');
  leases.saying(0, 1);
  at(20_000);
  leases.answered(0, 1, heard('r-1'));
  expect(heardAt()).toEqual({ 'r-1': 1_000 });
});

test('a server that is not certain that it has the run was heard before, and one that has not the run not at all', () => {
  const { open, at, heardAt } = givenLeases();
  const leases = open('one');
  at(50_000);
  for (const server of [0, 1]) leases.saying(server, 1);
  leases.answered(0, 1, heard('r-1', 9_000));
  leases.answered(1, 1, []);
  expect(heardAt()).toEqual({ 'r-1': 41_000 });
});

test('an answer that comes late, to a message that nobody sent, or to an older one takes nothing back', () => {
  const { open, at, heardAt } = givenLeases();
  const leases = open('one');
  leases.saying(0, 1);
  at(5_000);
  leases.saying(0, 2);
  leases.answered(0, 2, heard('r-1'));
  leases.answered(0, 1, heard('r-1'));
  leases.answered(0, 7, heard('r-2'));
  expect(heardAt()).toEqual({ 'r-1': 5_000 });
});

test('the next program in a home goes on with what was heard, under its own name', () => {
  const { open, at, read } = givenLeases();
  const first = open('one');
  first.saying(0, 1);
  first.answered(0, 1, heard('r-1'));
  at(2_000);
  const next = open('two');
  expect(read()).toEqual({ instance: 'two', heardAt: new Map([['r-1', 1_000]]) });
  next.forget('r-1');
  next.saying(0, 1);
  next.answered(0, 1, heard('r-2'));
  expect(read()?.heardAt).toEqual(new Map([['r-2', 2_000]]));
});

test('answers that come fast are written once a second', () => {
  const { open, at, heardAt } = givenLeases();
  const leases = open('one');
  for (const [number, time] of [1_000, 1_400, 1_999, 2_100].entries()) {
    at(time);
    leases.saying(0, number);
    leases.answered(0, number, heard('r-1'));
    expect(heardAt()).toEqual({ 'r-1': time < 2_000 ? 1_000 : 2_100 });
  }
});
