import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../shell/ports/clock.ts';
import { Refused } from '../refused.ts';
import { openTokenBook } from './token-book.ts';
import { addAccessToken, listTokens, revokeToken, tokensFile, type TokenRequest } from './token-list.ts';

const DAY_MS = 86_400_000;
const HOST: TokenRequest = { name: 'one', role: 'host', days: undefined, now: 0 };

function givenHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'heddle-tokens-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

const clockAt = (now: number): Clock => ({ now: () => now, monotonic: () => now });

function codeOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (cause) {
    if (cause instanceof Refused) return cause.refusal.code;
    throw cause;
  }
}

test('a token opens what its role says, and its file holds no token', () => {
  const home = givenHome();
  const token = addAccessToken(home, HOST);
  expect(openTokenBook(home, clockAt(1)).find(token)).toEqual({
    type: 'known',
    caller: { name: 'one', role: 'host' },
  });
  expect(readFileSync(tokensFile(home), 'utf8')).not.toContain(token);
  expect(statSync(tokensFile(home)).mode & 0o777).toBe(0o600);
});

test('a token that was never given out is wrong', () => {
  const home = givenHome();
  addAccessToken(home, HOST);
  expect(openTokenBook(home, clockAt(1)).find('another')).toEqual({ type: 'refused', why: 'wrong' });
});

test('a token expires by the day', () => {
  const home = givenHome();
  const token = addAccessToken(home, { ...HOST, days: 2 });
  expect(openTokenBook(home, clockAt(2 * DAY_MS - 1)).find(token).type).toBe('known');
  expect(openTokenBook(home, clockAt(2 * DAY_MS)).find(token)).toEqual({ type: 'refused', why: 'expired' });
});

test('an open book knows at once of tokens that are added and revoked', () => {
  const home = givenHome();
  const book = openTokenBook(home, clockAt(1));
  expect(book.find('anything')).toEqual({ type: 'refused', why: 'wrong' });
  const token = addAccessToken(home, HOST);
  expect(book.find(token).type).toBe('known');
  revokeToken(home, 'one', 1);
  expect(book.find(token)).toEqual({ type: 'refused', why: 'revoked' });
});

test('a name has one token that works, and may have another once that was revoked', () => {
  const home = givenHome();
  const before = addAccessToken(home, HOST);
  expect(codeOf(() => addAccessToken(home, { ...HOST, name: 'ONE' }))).toBe('token-name-taken');
  revokeToken(home, 'one', 1);
  addAccessToken(home, HOST);
  expect(listTokens(home)).toHaveLength(1);
  expect(openTokenBook(home, clockAt(1)).find(before)).toEqual({ type: 'refused', why: 'wrong' });
});

test('names are safe in paths, and none is that of the host inside a coordinator', () => {
  const home = givenHome();
  for (const name of ['', '@here', '../up', 'a b', '.hidden', 'a..b', 'a.', 'x'.repeat(64)])
    expect(codeOf(() => addAccessToken(home, { ...HOST, name }))).toBe('token-name-malformed');
});

test('a name without a token cannot be revoked, and the nearest one is said', () => {
  const home = givenHome();
  addAccessToken(home, { ...HOST, name: 'gpu-1' });
  expect(() => revokeToken(home, 'gpu-2', 1)).toThrow(
    expect.objectContaining({ refusal: { code: 'token-unknown', name: 'gpu-2', like: 'gpu-1' } }),
  );
});

test('a damaged file opens nothing, and is said to be damaged', () => {
  const home = givenHome();
  const token = addAccessToken(home, HOST);
  writeFileSync(tokensFile(home), '[{]');
  expect(codeOf(() => openTokenBook(home, clockAt(1)).find(token))).toBe('tokens-unreadable');
});
