import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noteLogIn } from './log-in-note.ts';

const FILE = '.agent/auth.json';
const LOG_IN = { tokens: { access: 'old', refresh: 'once', until: 1 }, scopes: ['work'], isPlus: true, mail: null };
const RENEWED = { ...LOG_IN, tokens: { access: 'young', refresh: 'again', until: 2 } };

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heddle-log-in-'));
  put('user', LOG_IN);
  put('sandbox', LOG_IN);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (home: string): string => join(root, home, FILE);

function put(home: string, content: unknown): void {
  mkdirSync(dirname(at(home)), { recursive: true });
  writeFileSync(at(home), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
}

const note = () => {
  const files = [FILE, 'not/there.json'].map((to) => ({ from: join(root, 'user', to), to }));
  return noteLogIn({ home: join(root, 'sandbox'), files });
};
const users = (): unknown => JSON.parse(readFileSync(at('user'), 'utf8'));

describe('a log-in', () => {
  test('that the agent renewed is brought back, for nobody else to read', () => {
    const noted = note();
    put('sandbox', RENEWED);
    expect(noted.bringBack()).toEqual([at('user')]);
    expect(users()).toEqual(RENEWED);
    expect(statSync(at('user')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(at('user')))).toEqual(['auth.json']);
  });

  test('is brought back to where the user keeps it', () => {
    const kept = join(root, 'kept.json');
    writeFileSync(kept, JSON.stringify(LOG_IN));
    rmSync(at('user'));
    symlinkSync(kept, at('user'));
    const noted = note();
    put('sandbox', RENEWED);
    expect(noted.bringBack()).toEqual([at('user')]);
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(RENEWED);
  });

  test('that nobody renewed stays as it is', () => {
    expect(note().bringBack()).toEqual([]);
    expect(users()).toEqual(LOG_IN);
  });

  test('that somebody else renewed meanwhile is left to them', () => {
    const noted = note();
    put('sandbox', RENEWED);
    put('user', { ...RENEWED, scopes: ['theirs'] });
    expect(noted.bringBack()).toEqual([]);
    expect(users()).toMatchObject({ scopes: ['theirs'] });
  });

  test.each([
    ['holds one more setting', { ...RENEWED, helper: 'curl evil' }],
    ['holds one more entry of a list', { ...RENEWED, scopes: ['work', 'more'] }],
    ['holds a list for an object', { ...RENEWED, tokens: ['a', 'b', 'c'] }],
    ['holds an object for a text', { ...RENEWED, scopes: [{ run: 'x' }] }],
    ['says yes for no', { ...RENEWED, isPlus: false }],
    ['lacks something', { ...RENEWED, scopes: undefined }],
    ['is no JSON', 'export EVIL=1'],
    ['is larger than any', { ...RENEWED, scopes: ['x'.repeat(300_000)] }],
  ])('is not brought back when it %s', (_, content) => {
    const noted = note();
    put('sandbox', content);
    expect(noted.bringBack()).toEqual([]);
    expect(users()).toEqual(LOG_IN);
  });

  test('is never read from outside of the sandbox', () => {
    const noted = note();
    put('elsewhere', RENEWED);
    rmSync(dirname(at('sandbox')), { recursive: true });
    symlinkSync(dirname(at('elsewhere')), dirname(at('sandbox')));
    expect(noted.bringBack()).toEqual([]);
    rmSync(dirname(at('sandbox')));
    expect(noted.bringBack()).toEqual([]);
    expect(users()).toEqual(LOG_IN);
  });
});
