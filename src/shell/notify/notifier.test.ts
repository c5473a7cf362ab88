import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { RunNotification } from '../../core/view/run/notification.ts';
import { openNotifier } from './notifier.ts';
import { notifyFolder, notificationAt } from './notify.given.ts';
import type { Delivery, Channel } from './channel.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';

const LONG_MS = 60_000;

interface GivenWay extends Channel {
  readonly told: number[];
}

function givenWay(answer: (notification: RunNotification, signal: AbortSignal) => Promise<Delivery>): GivenWay {
  const told: number[] = [];
  return {
    name: 'The way',
    told,
    deliver: async (notification, signal) => {
      told.push(notification.event);
      return await answer(notification, signal);
    },
  };
}

const fine = (): GivenWay => givenWay(() => Promise.resolve({ type: 'replied' }));
const hanging = (): GivenWay =>
  givenWay(
    (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ type: 'failed', message: 'was given up.' }));
      }),
  );

const noteFile = (): string => join(notifyFolder(), 'run', '@notified.json');

test('a channel that hangs delays neither the other channels nor the caller', async () => {
  const [slow, quick] = [hanging(), fine()];
  const said: string[] = [];
  const notifier = openNotifier({ channels: [slow, quick], file: noteFile(), say: (line) => void said.push(line) });
  for (const event of [1, 2, 3]) notifier.deliver(notificationAt(event));
  await vi.waitFor(() => expect(quick.told).toEqual([1, 2, 3]), { timeout: PATIENCE_MS });
  expect(slow.told).toEqual([1]);
  await notifier.close(0);
  expect(said[0]).toBe('The way was given up.');
});

test('what was told before is not told after a restart, and what was not is', async () => {
  const file = noteFile();
  const first = openNotifier({ channels: [fine()], file, say: () => undefined });
  first.deliver(notificationAt(4));
  first.deliver(notificationAt(9));
  await first.close(LONG_MS);
  const way = fine();
  const second = openNotifier({ channels: [way], file, say: () => undefined });
  for (const event of [4, 9, 12]) second.deliver(notificationAt(event));
  await second.close(LONG_MS);
  expect(way.told).toEqual([12]);
});

test('a notification that was under way when all ended is told again', async () => {
  const file = noteFile();
  const [slow, quick] = [hanging(), fine()];
  const first = openNotifier({ channels: [slow, quick], file, say: () => undefined });
  first.deliver(notificationAt(4));
  first.deliver(notificationAt(9));
  await vi.waitFor(() => expect(quick.told).toEqual([4, 9]), { timeout: PATIENCE_MS });
  expect(existsSync(file)).toBe(false);
  const way = fine();
  const second = openNotifier({ channels: [way], file, say: () => undefined });
  second.deliver(notificationAt(4));
  await second.close(LONG_MS);
  expect(way.told).toEqual([4]);
  await first.close(0);
});

test('two notifications of one event are both told', async () => {
  const way = fine();
  const file = noteFile();
  const notifier = openNotifier({ channels: [way], file, say: () => undefined });
  notifier.deliver(notificationAt(4));
  notifier.deliver(notificationAt(4));
  await notifier.close(LONG_MS);
  expect(way.told).toEqual([4, 4]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ event: 4 });
});

test('a note that is spoilt or cannot be written costs nothing but a notification told twice', async () => {
  const file = join(notifyFolder(), 'note');
  writeFileSync(file, '{"event":"x"');
  for (const place of [file, join(file, 'below', 'a-file')]) {
    const way = fine();
    const notifier = openNotifier({ channels: [way], file: place, say: () => undefined });
    notifier.deliver(notificationAt(1));
    await notifier.close(LONG_MS);
    expect(way.told).toEqual([1]);
  }
});

test('a way that fails again and again is complained of a few times, then no more', async () => {
  const said: string[] = [];
  const bad = givenWay(() => Promise.resolve({ type: 'failed', message: 'did not answer.' }));
  const notifier = openNotifier({ channels: [bad], file: noteFile(), say: (line) => void said.push(line) });
  for (let event = 1; event <= 9; event += 1) notifier.deliver(notificationAt(event));
  await notifier.close(LONG_MS);
  expect(bad.told).toHaveLength(9);
  expect(said).toEqual([
    'The way did not answer.',
    'The way did not answer.',
    'The way did not answer. No more is said of it in this run.',
  ]);
});

test('more notifications than a way can take are left out, and that is said', async () => {
  const said: string[] = [];
  const slow = hanging();
  const notifier = openNotifier({ channels: [slow], file: noteFile(), say: (line) => void said.push(line) });
  for (let event = 1; event <= 205; event += 1) notifier.deliver(notificationAt(event));
  expect(said[0]).toContain('is too slow');
  await notifier.close(0);
});
