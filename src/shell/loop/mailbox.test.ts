import { expect, test } from 'vitest';
import { openMailbox } from './mailbox.ts';
import type { Sync } from '../../core/protocol/sync.ts';

const sync = (number: number): Sync => ({ host: 'here', number, done: [], held: [], want: 1, does: [] });

test('messages of the same moment are taken together', async () => {
  const mailbox = openMailbox({ hasCommands: () => false, send: () => {} });
  const next = mailbox.next(undefined);
  mailbox.deliver(sync(1));
  mailbox.deliver(sync(2));
  expect((await next).syncs.map(({ number }) => number)).toEqual([1, 2]);
});

test('a message that came before the wait is taken at once', async () => {
  const mailbox = openMailbox({ hasCommands: () => false, send: () => {} });
  mailbox.deliver(sync(1));
  expect((await mailbox.next(undefined)).syncs).toHaveLength(1);
});

test('a command that another process posted is noticed without a message', async () => {
  let isThere = false;
  const mailbox = openMailbox({ hasCommands: () => isThere, send: () => {} });
  const next = mailbox.next(undefined);
  isThere = true;
  expect(await next).toEqual({ syncs: [], mayHaveCommands: true });
});

test('the loop wakes after the given time', async () => {
  const mailbox = openMailbox({ hasCommands: () => false, send: () => {} });
  expect(await mailbox.next(1)).toEqual({ syncs: [], mayHaveCommands: false });
});

test('a mailbox that was rung may have commands', async () => {
  const mailbox = openMailbox({ hasCommands: () => false, send: () => {} });
  mailbox.ring();
  expect(await mailbox.next(undefined)).toEqual({ syncs: [], mayHaveCommands: true });
  expect((await mailbox.next(1)).mayHaveCommands).toBe(false);
});

test('timers that are all due at once, as after a stop of the process, take the mail once', async () => {
  let isThere = true;
  const mailbox = openMailbox({ hasCommands: () => isThere, send: () => {} });
  const first = mailbox.next(500);
  const heldUpUntil = performance.now() + 600;
  while (performance.now() < heldUpUntil);
  await first;
  isThere = false;
  const second = mailbox.next(undefined);
  await new Promise(setImmediate);
  mailbox.deliver(sync(1));
  expect((await second).syncs).toHaveLength(1);
});
