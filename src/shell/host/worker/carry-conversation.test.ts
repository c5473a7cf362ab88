import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Conversation } from '../../../core/protocol/assignment.ts';
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import type { Launch } from '../../ports/agents.ts';
import type { ConversationCarrier } from '../../ports/conversation-carrier.ts';
import { attemptFolder } from '../attempt-folder.ts';
import type { Assign } from '../worker-messages.ts';
import { packForOthers, unpackCarried, type Carrying } from './carry-conversation.ts';

const CLAIM = { work: 'step', task: 'design', step: 'main', attempt: 1 } as const;
const FILE = 'conversation.json';
const SECRET = 'sk-0123456789abcdef';

/** A turn of a program whose conversations are one file each, here `conversations`. */
function given(conversation?: Partial<Conversation>) {
  const home = mkdtempSync(join(tmpdir(), 'heddle-carried-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = attemptFolder(home, 'run-1', CLAIM);
  mkdirSync(folder, { recursive: true });
  const conversations = new Map([['c1', `my key is ${SECRET}`]]);
  const carrier: ConversationCarrier = {
    pack: async ({ id }, clean) => clean(Buffer.from(conversations.get(id) ?? '')).toString('utf8') || undefined,
    unpack: async ({ id }, packed) => conversations.set(id, packed).has(id),
  };
  const work = { type: 'turn', agent: { use: 'claude' }, conversation };
  const turn: unknown = { assignment: { claim: CLAIM, work }, folder, run: 'run-1', home, isForOthers: true };
  // What else a turn has does not matter to its conversation.
  const assign = turn as Assign;
  const launch: Launch = { program: 'claude', args: [], input: undefined, environment: {} };
  const carrying: Carrying = { carrier, assign, launch, workplace: { home: undefined, environment: {} } };
  return { carrying, conversations, folder, home };
}

function outcome(id: string | undefined): WorkOutcome {
  const ended: unknown = { type: 'finished', ...CLAIM, conversation: id === undefined ? undefined : { id } };
  // Only the conversation of an outcome is read.
  return ended as WorkOutcome;
}

test('the conversation of a turn is kept for other machines without the secrets of this one (carry-conversation/E1)', async () => {
  const { carrying, folder } = given();
  await packForOthers(carrying, { outcome: outcome('c1'), secrets: [SECRET] });
  expect(readFileSync(join(folder, FILE), 'utf8')).toBe('my key is [redacted]');
});

test('nothing is kept of a turn without a conversation, or of one that cannot be carried', async () => {
  for (const id of [undefined, 'unknown']) {
    const { carrying, folder } = given();
    await packForOthers(carrying, { outcome: outcome(id), secrets: [] });
    expect(() => readFileSync(join(folder, FILE))).toThrow('ENOENT');
  }
});

test('what cannot be written does not end the turn: the next one begins anew', async () => {
  const { carrying, folder } = given();
  rmSync(folder, { recursive: true });
  await expect(packForOthers(carrying, { outcome: outcome('c1'), secrets: [] })).resolves.toBeUndefined();
});

test('a conversation that was carried here is put where the program finds it', async () => {
  const { carrying, conversations, home } = given({ id: 'c2', carried: { ...CLAIM, task: 'before' } });
  expect(await unpackCarried(carrying), 'its files were not brought').toBe(false);
  const folder = attemptFolder(home, 'run-1', { ...CLAIM, task: 'before' });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, FILE), 'what we said');
  expect(await unpackCarried(carrying)).toBe(true);
  expect(conversations.get('c2')).toBe('what we said');
});

test('a conversation of this machine needs nothing', async () => {
  expect(await unpackCarried(given({ id: 'c1' }).carrying)).toBe(true);
  expect(await unpackCarried(given().carrying)).toBe(true);
});
