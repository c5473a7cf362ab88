import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bringConversation } from './bring-conversation.ts';
import { placeAt } from './tree/place-paths.ts';

test('the files of a conversation are brought to the home of another sandbox, and nothing else is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-conversation-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, to] = [placeAt(join(folder, 'a')), placeAt(join(folder, 'b'))];
  const sessions = join(from.homes, 'claude', '.claude', 'projects', '-x');
  mkdirSync(sessions, { recursive: true });
  writeFileSync(join(sessions, '0123-4567-89ab.jsonl'), 'said');
  writeFileSync(join(sessions, 'other.jsonl'), 'secret');
  symlinkSync('/etc/passwd', join(sessions, 'link-0123-4567-89ab'));
  await bringConversation(from, to, '0123-4567-89ab');
  const there = join(to.homes, 'claude', '.claude', 'projects', '-x');
  expect(readFileSync(join(there, '0123-4567-89ab.jsonl'), 'utf8')).toBe('said');
  expect(['other.jsonl', 'link-0123-4567-89ab'].filter((name) => existsSync(join(there, name)))).toEqual([]);
  await bringConversation(placeAt(join(folder, 'gone')), to, '0123-4567-89ab');
  await bringConversation(from, to, 'x');
});

test('the conversation off which it was branched is brought along, where the program only refers to it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-conversation-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, to] = [placeAt(join(folder, 'a')), placeAt(join(folder, 'b'))];
  mkdirSync(join(from.homes, 'codex'), { recursive: true });
  const [first, second, third] = ['first-12345', 'second-1234', 'third-12345'];
  const write = (id: string, text: string): void => writeFileSync(join(from.homes, 'codex', `rollout-${id}`), text);
  write(first, '{"forked_from_id":null}');
  write(second, `{"id":"${second}","forked_from_id":"${first}"}`);
  write(third, `{"forked_from_id":"${second}"}`);
  write('other-12345', String.raw`{"said":"{\"forked_from_id\":\"${first}\"}"}`);
  await bringConversation(from, to, third);
  const brought = [first, second, third].map((id) => `rollout-${id}`).toSorted();
  expect(readdirSync(join(to.homes, 'codex')).toSorted()).toEqual(brought);
});
