import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ConversationHome } from '../ports/conversation-carrier.ts';
import { conversationFiles } from './conversation-files.ts';

const packConversation = (of: ConversationHome) => conversationFiles.pack(of, (bytes) => bytes);
const unpackConversation = conversationFiles.unpack;

const ID = '0123-4567-89ab';

function homes() {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-conversation-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(from, path)), { recursive: true });
    writeFileSync(join(from, path), text);
  };
  const read = (path: string): string | undefined =>
    existsSync(join(to, path)) ? readFileSync(join(to, path), 'utf8') : undefined;
  return { from, to, write, read };
}

const at = (home: string, use = 'claude') => ({ use, id: ID, home, environment: {} });

test('the files of a conversation are carried into another home, and nothing else is', async () => {
  const { from, to, write, read } = homes();
  write(`.claude/projects/-x/${ID}.jsonl`, 'said');
  write(`.claude/projects/-x/${ID}/subagents/one.jsonl`, 'thought');
  write('.claude/projects/-x/other.jsonl', 'secret');
  write(`.claude/telemetry/${ID}.json`, 'counted');
  symlinkSync('/etc/passwd', join(from, '.claude', 'projects', '-x', `link-${ID}`));
  const packed = await packConversation(at(from));
  expect(await unpackConversation(at(to), packed ?? '')).toBe(true);
  expect(read(`.claude/projects/-x/${ID}.jsonl`)).toBe('said');
  expect(read(`.claude/projects/-x/${ID}/subagents/one.jsonl`)).toBe('thought');
  expect(packed).not.toContain('other');
  expect(packed).not.toContain('telemetry');
  expect(packed).not.toContain('link');
});

test('a branch is carried with the conversation that it refers to, and a bundle cannot name files of others', async () => {
  const { from, to, write, read } = homes();
  const [branch, origin] = [`rollout-${ID}.jsonl`, 'rollout-fedc-ba98.jsonl'].map((name) => `.codex/sessions/${name}`);
  write(branch ?? '', '{"forked_from_id":"fedc-ba98"}');
  write(origin ?? '', 'said before');
  const packed = (await packConversation(at(from, 'codex'))) ?? '';
  expect(await unpackConversation(at(to, 'codex'), packed.replace('"origins":["fedc-ba98"]', '"origins":["x"]'))).toBe(
    false,
  );
  expect(await unpackConversation(at(to, 'codex'), packed)).toBe(true);
  expect(read(origin ?? '')).toBe('said before');
});

test('what is there of a conversation is replaced by what is brought', async () => {
  const { from, to, write, read } = homes();
  const path = `.codex/sessions/2026/11/18/rollout-${ID}.jsonl`;
  write(path, 'one, two');
  const packed = await packConversation(at(from, 'codex'));
  await unpackConversation(at(to, 'codex'), packed ?? '');
  writeFileSync(join(to, path), 'one, and much that is older than what was said after it');
  await unpackConversation(at(to, 'codex'), packed ?? '');
  expect(read(path)).toBe('one, two');
});

test('outside of a sandbox the folder of the program is where its environment says', async () => {
  const { from, to, write, read } = homes();
  write(`elsewhere/projects/-x/${ID}.jsonl`, 'said');
  const environment = { CLAUDE_CONFIG_DIR: join(from, 'elsewhere') };
  const packed = await packConversation({ use: 'claude', id: ID, home: undefined, environment });
  await unpackConversation({ use: 'claude', id: ID, home: undefined, environment: { HOME: to } }, packed ?? '');
  expect(read(`.claude/projects/-x/${ID}.jsonl`)).toBe('said');
});

test('nothing is packed of an agent that cannot go on from its files, of a short id, or of no conversation', async () => {
  const { from, write } = homes();
  write(`.claude/projects/-x/${ID}.jsonl`, 'said');
  expect(await packConversation(at(from, 'gemini'))).toBeUndefined();
  expect(await packConversation({ ...at(from), id: 'said' })).toBeUndefined();
  expect(await packConversation({ ...at(from), id: `../${ID}` })).toBeUndefined();
  expect(await packConversation(at(join(from, 'gone')))).toBeUndefined();
});

test.each([
  [`projects/../../../${ID}.jsonl`],
  [`/etc/${ID}`],
  [`settings-${ID}.json`],
  ['projects/-x/settings.json'],
  [`projects//${ID}`],
  [`projects/-x\u0000/${ID}`],
])('a file at %j of a bundle of another machine is written nowhere', async (path) => {
  const { to } = homes();
  const files = [
    { path: `projects/-x/${ID}.jsonl`, base64: '' },
    { path, base64: '' },
  ];
  expect(await unpackConversation(at(to), JSON.stringify({ use: 'claude', id: ID, files }))).toBe(false);
  expect(existsSync(to)).toBe(false);
});

test.each([['no json'], ['{}'], [JSON.stringify({ use: 'codex', id: ID, files: [] })]])(
  'the bundle %j brings nothing',
  async (text) => {
    const { to } = homes();
    expect(await unpackConversation(at(to), text)).toBe(false);
  },
);

test('a link that a program of the sandbox left leads nowhere', async () => {
  const { from, to, write } = homes();
  write(`.claude/projects/-x/${ID}.jsonl`, 'said');
  const packed = await packConversation(at(from));
  const outside = join(dirname(to), 'outside');
  mkdirSync(outside);
  mkdirSync(join(to, '.claude'), { recursive: true });
  symlinkSync(outside, join(to, '.claude', 'projects'));
  expect(await unpackConversation(at(to), packed ?? '')).toBe(false);
  rmSync(join(to, '.claude'), { recursive: true });
  symlinkSync(outside, join(to, '.claude'));
  expect(await unpackConversation(at(to), packed ?? '')).toBe(false);
  expect(readdirSync(outside)).toEqual([]);
});
