import { fstatSync, mkdtempSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { need } from '../../../test/needs.given.ts';
import { captureNow } from './capture-now.ts';
import { openFollowedFile } from './followed-file.ts';

const WRITTEN = 70_000_000;

test('the disk gets back what was read of a long output, and no file has a name', (context) => {
  const isThere = captureNow(['fallocate', '--version']).code === 0;
  need(context, { name: 'other', missing: isThere ? undefined : 'there is no fallocate here' });
  const folder = mkdtempSync(join(tmpdir(), 'heddle-followed-'));
  const file = openFollowedFile(folder);
  onTestFinished(() => {
    file.closeWriter();
    file.release(true);
    file.release(true);
    rmSync(folder, { recursive: true });
  });
  let read = 0;
  file.reader.on('data', (chunk: Buffer) => void (read += chunk.length));
  writeSync(file.writer, Buffer.alloc(WRITTEN, 1));
  expect(fstatSync(file.writer).blocks * 512).toBeGreaterThanOrEqual(WRITTEN);
  file.finish?.();
  expect(fstatSync(file.writer).blocks * 512).toBeLessThan(WRITTEN / 10);
  expect(readdirSync(folder)).toEqual([]);
  return new Promise<void>((resolve) => file.reader.once('end', resolve)).then(() => expect(read).toBe(WRITTEN));
});
