import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { need } from '../../../../test/needs.given.ts';
import { mountOverlay, mountsUnder, unmountAll } from './mounts.ts';

/** A `mount` before the real one that notes what it is called with. */
function notingMounts(): () => readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-mounts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const noted = join(folder, 'noted');
  const real = execFileSync('sh', ['-c', 'command -v mount'], { encoding: 'utf8' }).trim();
  const own = join(folder, 'programs');
  mkdirSync(own);
  writeFileSync(join(own, 'mount'), `#!/bin/sh\necho "$1" >> '${noted}'\nexec ${real} "$@"\n`);
  chmodSync(join(own, 'mount'), 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = `${own}:${before}`;
  onTestFinished(() => void (process.env['PATH'] = before));
  return () => readFileSync(noted, 'utf8').trim().split('\n');
}

test('overlays that are wanted at once are mounted by one program, whatever their paths are', async (context) => {
  const home = mkdtempSync(join(tmpdir(), 'heddle mounts #,:\\'));
  onTestFinished(async () => {
    await unmountAll(home);
    rmSync(home, { recursive: true, force: true });
  });
  mkdirSync(join(home, 'lower'));
  writeFileSync(join(home, 'lower', 'file'), 'from below');
  const layers = ['one', 'two', 'three'].map((name) => {
    const [upper, work, at] = ['upper', 'work', 'tree'].map((part) => join(home, name, part));
    if (upper === undefined || work === undefined || at === undefined) throw new Error('there are three');
    for (const folder of [upper, work, at]) mkdirSync(folder, { recursive: true });
    return { lower: [join(home, 'lower')], upper, work, at };
  });
  const noted = notingMounts();
  const troubles = await Promise.all(layers.map((each) => mountOverlay(home, each)));
  const isRefused = troubles.some((trouble) => trouble !== undefined);
  need(context, { name: 'other', missing: isRefused ? 'overlays cannot be mounted here' : undefined });
  expect(noted()).toEqual(['-a']);
  for (const { at } of layers) expect(readFileSync(join(at, 'file'), 'utf8')).toBe('from below');
  expect(mountsUnder(home)).toHaveLength(3);
  expect(await unmountAll(home)).toBeUndefined();
  expect(mountsUnder(home)).toEqual([]);
});
