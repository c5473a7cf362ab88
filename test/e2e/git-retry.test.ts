// What another attempt starts from: the files of the one before it, or the last checkpoint.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pidInAttempt } from '../../src/shell/host/attempt-folder.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';
import { endRepositoriesAfterEach, givenRepository, type InGit } from './git-commands/repository.given.ts';

endRepositoriesAfterEach();

const ONCE = 'echo try >> src/one.txt; [ -e $HEDDLE_HOME/again ] || { touch $HEDDLE_HOME/again; exit 1; }';
const plan = (task: string): string =>
  `heddle: 1\nname: world\nattempts: 2\nagents: { ai: { use: scripted } }\nsandbox: { isolation: none }\ntasks:\n  one: ${task}\n`;
const result = (project: InGit): string => project.git('show', 'heddle/world-1:src/one.txt');

describe('another attempt', () => {
  test('starts from the last checkpoint after a command that failed, and what that left is kept', async () => {
    const project = givenRepository(plan(`{ run: "${ONCE}" }`));
    expect((await project.heddle('run')).code).toBe(0);
    expect(result(project)).toBe('one\ntry');
    const checkpoint = (attempt: number): string =>
      project.git(
        `--git-dir=${join(project.home, 'repo.git')}`,
        'show',
        `refs/heddle/world-1/checkpoints/one/main/${attempt}:src/one.txt`,
      );
    expect([checkpoint(1), checkpoint(2)]).toEqual(['one\ntry', 'one\ntry']);
  });

  test('starts from the checkpoint of the step before it, and repeats nothing of that step', async () => {
    const steps = `[{ id: first, run: echo first >> src/one.txt }, { id: second, run: "${ONCE}" }]`;
    const project = givenRepository(plan(`{ steps: ${steps} }`));
    expect((await project.heddle('run')).code).toBe(0);
    expect(result(project)).toBe('one\nfirst\ntry');
  });

  test('goes on from the files where the plan says so', async () => {
    const project = givenRepository(plan(`{ run: "${ONCE}", retry: continue }`));
    expect((await project.heddle('run')).code).toBe(0);
    expect(result(project)).toBe('one\ntry\ntry');
  });

  test('goes on from the files after a failed check, or starts clean where the plan says so', async () => {
    const check = `"[ -e $HEDDLE_HOME/checked ] || { touch $HEDDLE_HOME/checked; exit 1; }"`;
    const task = (retry: string): string => plan(`{ prompt: "@run echo try >> src/one.txt", check: ${check}${retry} }`);
    const going = givenRepository(task(''));
    expect((await going.heddle('run')).code).toBe(0);
    expect(result(going)).toBe('one\ntry\ntry');
    const clean = givenRepository(task(', retry: clean'));
    expect((await clean.heddle('run')).code).toBe(0);
    expect(result(clean)).toBe('one\ntry');
  });

  test('starts from the last checkpoint when the worker was killed, and what that left can be recovered', async () => {
    const wait = 'until [ -e $HEDDLE_HOME/go ]; do sleep 0.05; done';
    const project = givenRepository(plan(`{ run: "echo try >> src/one.txt; touch $HEDDLE_HOME/here; ${wait}" }`));
    const going = project.start('run', '--json');
    await expect.poll(() => existsSync(join(project.home, 'here')), { timeout: PATIENCE_MS }).toBe(true);
    process.kill(pidInAttempt(project.attempt({ work: 'step', task: 'one', step: 'main', attempt: 1 })), 'SIGKILL');
    writeFileSync(join(project.home, 'go'), '');
    expect((await going.ended).code).toBe(0);
    expect(result(project)).toBe('one\ntry');
    const { out } = await project.heddle('recover', 'world-1/salvage');
    expect(out).toMatch(/world-1\/salvage\/one\//);
  });

  test('is told why work could not be saved, and finds that work', async () => {
    const project = givenRepository(
      plan(`{ prompt: "@run [ -L out ] && rm out || ln -s /etc/hostname out\\n@write src/one.txt done" }`),
    );
    expect((await project.heddle('run')).code).toBe(0);
    expect(result(project)).toBe('done');
    const { out } = await project.heddle('turns', 'one', '--json');
    expect(out).toContain('the work could not be saved');
  });

  test.each([
    ['a command', 'a link that leaves the tree', 'ln -s /etc/hostname out', (work: string) => `run: "${work}"`],
    ['a turn', 'a repository inside', 'git init -q inner', (work: string) => `agent: ai, prompt: "@run ${work}"`],
  ])('starts clean after %s that failed and left %s, which is kept aside', async (_, __, leave, stepOf) => {
    const left = `[ -e $HEDDLE_HOME/again ] || { ${leave}; touch $HEDDLE_HOME/again; echo left > left; exit 1; }`;
    const project = givenRepository(plan(`{ ${stepOf(`${left}; echo try >> src/one.txt`)} }`));
    expect((await project.heddle('run')).code).toBe(0);
    expect(result(project)).toBe('one\ntry');
    const { out } = await project.heddle('recover');
    const aside = /\S*\/kept\/world-1\/one-\S+/.exec(out)?.[0] ?? '';
    expect(readdirSync(aside, { recursive: true }).map(String)).toContainEqual(expect.stringMatching(/\/left$/));
  });
});
