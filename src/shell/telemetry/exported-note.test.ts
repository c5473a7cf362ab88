import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readExported, writeExported } from './exported-note.ts';

function givenFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-exported-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('the note says how far the spans were delivered, and nothing was delivered before there is one', () => {
  const file = join(givenFolder(), 'run', 'exported.json');
  expect(readExported(file)).toBe(0);
  writeExported(file, 12);
  writeExported(file, 40);
  expect(readExported(file)).toBe(40);
});

test.for(['', '{', 'null', '{"events":"12"}', '{"events":-3}', '{"events":1.5}', '{"events":1e300}'])(
  'a note that says %j counts as none, so that spans are sent again',
  (text) => {
    const file = join(givenFolder(), 'exported.json');
    writeFileSync(file, text);
    expect(readExported(file)).toBe(0);
  },
);

test('a note that cannot be written stops nothing', () => {
  const folder = givenFolder();
  writeFileSync(join(folder, 'run'), 'a file where a folder is to be');
  const file = join(folder, 'run', 'exported.json');
  writeExported(file, 12);
  expect(readExported(file)).toBe(0);
});
