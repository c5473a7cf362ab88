// The demo as somebody sees it who has nothing but git and Node.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { heddle, ROOT } from '../heddle.given.ts';
import { givenFolder, givenGit, givenPrograms, givenSystemWithout, removeFoldersAfterEach } from './folders.given.ts';
import { mountsBelow, processesOf } from './left-over.given.ts';

removeFoldersAfterEach();

describe('heddle demo', () => {
  test('shows overlap, a retry, a conflict, a budget and the merged result, and leaves nothing running', () => {
    const folder = join(givenFolder(), 'some where');
    const { code, out, errors } = heddle(['demo', '--in', folder], { cwd: dirname(folder) });
    expect({ code, errors }).toMatchObject({ code: 0 });
    expect(out).toContain('12 of 12 tasks, in ');
    expect(out).toMatch(/overlap +up to [2-6] running at once/);
    const report = JSON.parse(heddle(['report', '--json'], { cwd: folder }).out);
    const said = /one after the other it takes [^,]+, ([\d.]+) times as long/.exec(out);
    expect(Number(said?.[1])).toBe(Number(report.times.speedUp.toPrecision(3)));
    expect(out).toContain('border, whose check said: FAIL  border.test.js: there is no border');
    expect(out).toMatch(/(madder with woad|woad with madder) in src\/threads\.js; its agent made it fit/);
    expect(out).toMatch(/\$0\.\d\d of \$1\.00 spent/);
    expect(out).toContain('|<> <> <> ');
    expect(out).toContain(`rm -rf '${folder}'`);
    expect(out).toContain(' init ');
    const git = (...words: readonly string[]): string => execFileSync('git', words, { cwd: folder, encoding: 'utf8' });
    expect(git('log', '--format=%s', 'main').trim()).toBe('A loom, with one thread');
    expect(git('log', '--format=%s', '--first-parent', 'heddle/demo-1').trim().split('\n')).toHaveLength(13);
    expect(git('status', '--porcelain')).toBe('');
    expect(processesOf(folder)).toEqual([]);
    const landed = heddle(['land', '--yes'], { cwd: folder });
    expect(landed, landed.errors).toMatchObject({ code: 0 });
    expect(execFileSync(process.execPath, ['check.js'], { cwd: folder, encoding: 'utf8' })).not.toContain('FAIL');
    expect(readFileSync(join(folder, 'cloth.txt'), 'utf8')).toContain('^v^v');
  });

  test('works without bubblewrap and with no Node on the PATH, and goes away again when asked', () => {
    const folder = givenFolder();
    const programs = givenSystemWithout('bwrap', 'node');
    const { code, out, errors } = heddle(['demo', '--json', '--remove'], {
      cwd: folder,
      env: { PATH: programs, TMPDIR: folder },
    });
    expect({ code, errors }).toMatchObject({ code: 0 });
    expect(errors).not.toContain('isolated by bubblewrap');
    const read = JSON.parse(out);
    expect(read).toMatchObject({ run: 'demo-1', branch: 'heddle/demo-1' });
    expect(read.figures).toMatchObject({ tasks: 12, tasksDone: 12, usdCeiling: 1 });
    expect(read.figures.serialMs).toBeGreaterThan(read.figures.tookMs / 4);
    expect(read.figures.checksFailed).toEqual([{ task: 'border', said: 'FAIL  border.test.js: there is no border' }]);
    expect(read.figures.conflicts).toHaveLength(1);
    expect(dirname(read.folder)).toBe(folder);
    expect(existsSync(read.folder)).toBe(false);
  });

  test('that is interrupted says how to resume or discard it, and leaves nothing running', async () => {
    const folder = join(givenFolder(), 'here');
    const child = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), 'demo', '--in', folder], {
      env: { PATH: process.env['PATH'], HOME: dirname(folder) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, errors] = ['', ''];
    child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    child.stdout.on('data', (text: Buffer) => {
      const wasAtWork = out.includes('started');
      out += text.toString();
      if (!wasAtWork && out.includes('started')) child.kill('SIGINT');
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, out }).toMatchObject({ code: 130 });
    expect(errors).toContain('The demo was interrupted. From here:');
    expect(errors).toContain('heddle resume  goes on');
    expect(processesOf(folder)).toEqual([]);
    heddle(['cancel'], { cwd: folder });
    expect(mountsBelow(folder)).toEqual([]);
  });

  test('that fails on this machine says so, and what to do', () => {
    const folder = givenFolder();
    // Sandboxes cannot be kept without the programs that every system has.
    const { code, errors } = heddle(['demo'], { cwd: folder, env: { PATH: givenGit(), TMPDIR: folder } });
    expect([1, 2, 3]).toContain(code);
    expect(errors).toContain('The demo did not go as it should. From here:');
    expect(errors).toMatch(/doctor +says what may be wrong on this machine/);
  });

  test('says in two sentences that git is missing, and makes nothing', () => {
    const folder = givenFolder();
    const { code, out, errors } = heddle(['demo'], { cwd: folder, env: { PATH: givenPrograms({}), TMPDIR: folder } });
    expect(errors).toContain('There is no git on the PATH, and sandboxes need it. Install git 2.38 or later');
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('says that git is too old', () => {
    const folder = givenFolder();
    const path = `${givenPrograms({ git: '#!/bin/sh\necho git version 2.25.1\n' })}:${process.env['PATH']}`;
    const { code, errors } = heddle(['demo'], { cwd: folder, env: { PATH: path, TMPDIR: folder } });
    expect(errors).toContain('This is git version 2.25.1, and sandboxes need 2.38 or later.');
    expect(code).toBe(2);
  });

  test('overwrites nothing that is there', () => {
    const folder = givenFolder();
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    const full = heddle(['demo', '--in', folder]);
    expect(full.errors).toContain(`${folder} is not empty`);
    expect(full.code).toBe(2);
    const file = heddle(['demo', '--in', join(folder, 'mine.txt')]);
    expect(file.errors).toContain('cannot be used');
    expect(file.code).toBe(2);
    const nowhere = heddle(['demo', '--in', '/proc/no/such']);
    expect(nowhere.errors).toContain('cannot be used');
    expect(nowhere.code).toBe(2);
  });

  test('is not begun by a step of a run', () => {
    const { code, errors } = heddle(['demo'], { env: { HEDDLE_RUN: 'demo-1', HEDDLE_TASK: 'a' } });
    expect(errors).toContain('a step can neither start a run nor control one');
    expect(code).toBe(2);
  });
});
