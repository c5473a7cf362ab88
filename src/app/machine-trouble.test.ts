import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { refusalText } from '../core/view/text/refusal-text.ts';
import { machineTroubleOf } from './machine-trouble.ts';

const system = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more });

test('a full disk, a read-only one and too many open files are the machine, and are told by what to do', () => {
  const full = machineTroubleOf(system('ENOSPC', { path: '/a/b' }));
  expect(full).toEqual({ code: 'machine', trouble: 'full', path: '/a/b' });
  const codes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EIO', 'EACCES'];
  expect(codes.map((code) => machineTroubleOf(system(code))?.trouble)).not.toContain(undefined);
  if (full !== undefined)
    expect(refusalText(full)).toBe('The disk is full: /a/b could not be written. Free some space and try again.');
});

test('a bug stays a bug, and so do watches that are too many', () => {
  for (const error of [new Error('x'), system('ENOENT'), system('ENOSPC', { syscall: 'watch' }), 'ENOSPC'])
    expect(machineTroubleOf(error)).toBeUndefined();
});

test('a full database is the machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-full-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const database = new DatabaseSync(join(folder, 'a'));
  onTestFinished(() => database.close());
  database.exec('PRAGMA max_page_count = 2; CREATE TABLE a (b)');
  let caught: unknown;
  try {
    database.exec(`INSERT INTO a VALUES ('${'x'.repeat(10_000)}')`);
  } catch (error) {
    caught = error;
  }
  expect(machineTroubleOf(caught)?.trouble).toBe('full');
});
