// Questions put to a person at a terminal, which `script` plays here.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { skipUnless, terminal } from '../../needs.given.ts';
import { ROOT } from '../heddle.given.ts';
import { endRepositoriesAfterEach, givenRepository, type InGit } from './repository.given.ts';

endRepositoriesAfterEach();
skipUnless(terminal());

const PLAN = 'tasks:\n  one: { run: echo more >> src/one.txt }\n';

/** Types each answer when its question is there. */
async function talk(
  { folder }: InGit,
  words: string,
  answers: readonly (readonly [asked: string, typed: string])[],
): Promise<string> {
  const command = `'${process.execPath}' '${join(ROOT, 'bin', 'heddle.js')}' ${words}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, SHELL: '/bin/sh', TERM: 'xterm' },
    stdio: 'pipe',
  });
  const waiting = [...answers];
  let said = '';
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString();
    const [next] = waiting;
    if (next === undefined || !said.includes(next[0])) return;
    waiting.shift();
    child.stdin.write(`${next[1]}\n`);
  });
  await new Promise((resolve) => child.on('close', resolve));
  expect(waiting, said).toEqual([]);
  return said;
}

describe('at a terminal', () => {
  test('a run that has ended asks whether to land, and follows the answer', async () => {
    const project = givenRepository(PLAN);
    const no = await talk(project, 'run', [['Land world-1 (one; 1 file changed) on main? [y/N]', 'no']]);
    expect(no).toContain('Nothing was moved.');
    expect(no).toContain('heddle land world-1 lands it.');
    expect(project.git('log', '-1', '--format=%s')).toBe('start');
    const yes = await talk(project, 'land', [['on main? [y/N]', 'y']]);
    expect(yes).toContain('Landed world-1 on main');
    expect(project.read('src/one.txt')).toBe('one\nmore\n');
  });

  test('the work of a task is opened in a shell', async () => {
    const project = givenRepository(PLAN);
    expect((await project.heddle('run', '--json')).code).toBe(0);
    const said = await talk(project, 'open one', [['leave it with exit', 'cat src/one.txt; exit']]);
    if (said !== undefined) expect(said).toMatch(/one\r?\nmore/);
  });
});
