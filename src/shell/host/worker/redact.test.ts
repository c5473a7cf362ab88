import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Redactor, secretsIn } from './redact.ts';

const redacted = (secrets: readonly string[], chunks: readonly string[]): string => {
  const redactor = new Redactor(secrets);
  const parts = chunks.map((chunk) => redactor.push(Buffer.from(chunk)));
  return Buffer.concat([...parts, redactor.end()]).toString();
};

test('secrets are the values of names that say so', () => {
  const environment = {
    ANTHROPIC_API_KEY: 'sk-1234567890',
    GITHUB_TOKEN: 'ghp-abcdefghij',
    DB_PASSWORD: 'correct horse',
    HOME: '/home-folder',
    KEYBOARD: 'a long layout',
    API_KEY: 'short',
    SSH_KEY: '/home-folder/.ssh/key',
    GIT_CONFIG_KEY_0: 'safe.directory',
    HEDDLE_TOKEN: 'not-a-secret',
    SAME_SECRET: 'sk-1234567890',
  };
  expect(secretsIn(environment)).toEqual(['ghp-abcdefghij', 'sk-1234567890', 'correct horse']);
});

test('what a plan gives to an agent is a secret where it looks like a key', () => {
  const environment = {
    OURS: 'abcdefgh12345678',
    REGION: 'us-east-1',
    PLACE: 'https://example.com/v1',
    ALSO: 'abcdefgh12345679',
  };
  expect(secretsIn(environment, ['OURS', 'REGION', 'PLACE'])).toEqual(['abcdefgh12345678']);
});

test('a secret is taken out wherever the stream is cut', () => {
  const text = 'before sk-1234567890 between sk-12345 and sk-1234567890sk-1234567890';
  const clean = 'before [redacted] between sk-12345 and [redacted][redacted]';
  for (let at = 0; at <= text.length; at += 1)
    expect(redacted(['sk-1234567890'], [text.slice(0, at), text.slice(at)]), `cut at ${at}`).toBe(clean);
});

test('of two secrets one of which holds the other, the longer is taken out', () => {
  expect(redacted(['sk-1234567890', '1234567890'], ['a sk-1234567890 b 1234567890'])).toBe('a [redacted] b [redacted]');
});

test('what holds no secret comes through as it was, byte for byte', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '-') })), (chunks) => {
      expect(redacted(['abba-secret'], chunks)).toBe(chunks.join('').replaceAll('abba-secret', '[redacted]'));
      expect(redacted([], chunks)).toBe(chunks.join(''));
    }),
  );
});
