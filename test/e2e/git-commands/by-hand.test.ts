// Manual work in a run: look at a task, resolve a conflict, go back to a checkpoint.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../world/project.given.ts';
import { endRepositoriesAfterEach, givenRepository, type InGit } from './repository.given.ts';

endRepositoriesAfterEach();

async function givenConflict(): Promise<InGit> {
  const project = givenRepository(`tasks:
  mine: { run: echo mine >> src/shared.txt }
  yours: { needs: [], run: "sleep 1; echo yours >> src/shared.txt" }
  after: { needs: [yours], run: cp src/shared.txt src/after.txt }
`);
  expect((await project.heddle('run', '--json', '--wait', '0')).code).toBe(3);
  return project;
}

describe('a conflict that waits for a person', () => {
  test('is resolved in a plain checkout, taken, and merged with all that waits for it', async () => {
    const project = await givenConflict();
    expect((await project.heddle('status')).out).toContain('heddle open yours ·');
    const { out, errors } = await project.heddle('open', 'yours');
    const file = join(out.trim(), 'src/shared.txt');
    expect(errors).toContain('yours conflicts in src/shared.txt');
    expect(readFileSync(file, 'utf8')).toMatch(/<<<<<<<[^]*yours[^]*=======[^]*mine[^]*>>>>>>>/);
    const early = await project.heddle('merge', 'yours');
    expect(early.code).toBe(3);
    expect(early.errors).toContain('There are conflict markers in src/shared.txt.');
    writeFileSync(file, 'shared\nmine\nyours\n');
    expect((await project.heddle('open', 'yours', '--command', 'cat src/shared.txt')).out).toBe(
      'shared\nmine\nyours\n',
    );
    const merged = await project.heddle('merge', 'yours');
    expect(merged.code).toBe(0);
    expect(project.git('show', 'heddle/world-1:src/after.txt')).toBe('shared\nmine\nyours');
    expect(existsSync(file)).toBe(false);
    const again = await project.heddle('merge', 'yours');
    expect(again).toMatchObject({
      code: 2,
      errors: expect.stringContaining('has no conflict that waits for a person'),
    });
  });

  test('reaches a running coordinator', async () => {
    const project = givenRepository(`sandbox: { isolation: none }
tasks:
  mine: { run: echo mine >> src/shared.txt }
  yours: { needs: [], run: "sleep 1; echo yours >> src/shared.txt" }
  long: { run: "until [ -e $HEDDLE_HOME/go ]; do sleep 0.05; done" }
`);
    const going = project.start('run', '--json');
    await going.sees(({ type }) => type === 'claim.asked');
    const { out } = await project.heddle('open', 'yours');
    writeFileSync(join(out.trim(), 'src/shared.txt'), 'shared\nmine\nyours\n');
    const merged = await project.heddle('merge', 'yours', '--detach');
    expect(merged.code).toBe(0);
    expect(merged.errors).toContain('yours is checked and merged again');
    await going.sees(({ type, task }) => type === 'task.ended' && task === 'yours');
    writeFileSync(join(project.home, 'go'), '');
    expect((await going.ended).code).toBe(0);
    expect(project.git('show', 'heddle/world-1:src/shared.txt')).toBe('shared\nmine\nyours');
  });
});

describe('heddle open', () => {
  test('shows the work of any task, and nothing of it changes the run', async () => {
    const project = givenRepository(
      'tasks:\n  one: { run: echo more >> src/one.txt }\n  idle: { when: "false", run: ls }\n',
    );
    expect((await project.heddle('run', '--json')).code).toBe(0);
    const { out, errors } = await project.heddle('open', 'one', '--print');
    expect(errors).toContain('is not part of the run');
    expect(readFileSync(join(out.trim(), 'src/one.txt'), 'utf8')).toBe('one\nmore\n');
    writeFileSync(join(out.trim(), 'src/one.txt'), 'mine\n');
    expect(await project.heddle('open', 'one', '-c', 'cat src/one.txt; exit 7')).toMatchObject({
      code: 1,
      out: 'mine\n',
    });
    expect(project.git('show', 'heddle/world-1:src/one.txt')).toBe('one\nmore');
    expect((await project.heddle('open', 'idle')).errors).toContain('has committed nothing yet');
    expect((await project.heddle('open', 'noe')).errors).toContain('Did you mean one?');
  });
});

describe('heddle rollback', () => {
  test('does a step again from the checkpoint before it', async () => {
    const project = givenRepository(`sandbox: { isolation: none }
tasks:
  one:
    steps:
      - { id: first, run: echo first >> src/one.txt }
      - { id: second, run: "echo second >> src/one.txt; test -e $HEDDLE_HOME/go" }
  after: { needs: [one], run: cp src/one.txt src/after.txt }
`);
    expect((await project.heddle('run', '--json')).code).toBe(1);
    writeFileSync(join(project.home, 'go'), '');
    expect((await project.heddle('rollback', 'one', 'third')).errors).toContain('It has first, second.');
    expect((await project.heddle('rollback', 'after', 'main')).code).toBe(2);
    const { code } = await project.heddle('rollback', 'one', 'second', '--json');
    expect(code).toBe(0);
    expect(project.git('show', 'heddle/world-1:src/after.txt')).toBe('one\nfirst\nsecond');
    const done = await project.heddle('rollback', 'one', 'second');
    expect(done).toMatchObject({ code: 2, errors: expect.stringContaining('one is done and stays as it is') });
  });
});

describe('a run whose repository cannot be used any more', () => {
  test('is discarded again with one sentence, and leaves nothing running', async () => {
    const project = await givenConflict();
    renameSync(project.file('.git'), project.file('.git-away'));
    const refused = await project.heddle('resume');
    expect(refused.code).toBe(2);
    expect(refused.errors).toContain('is not in a git repository');
    renameSync(project.file('.git-away'), project.file('.git'));
    project.git('update-ref', 'refs/heddle/world-1/base', project.git('commit-tree', '-m', 'x', 'HEAD^{tree}'));
    const moved = await project.heddle('resume');
    expect(moved.code).toBe(2);
    expect(moved.errors.trim().split('\n').at(-1)).toMatch(/refs\/heddle\/world-1\/base is at .*; remove that ref/);
    expect((await project.heddle('runs')).out).toContain('no coordinator');
    project.git('update-ref', 'refs/heddle/world-1/base', 'HEAD');
    expect((await project.heddle('reject', 'yours')).code).toBe(0);
    expect((await project.heddle('resume')).code).toBe(1);
    await until(() => !existsSync(join(project.home, 'sandboxes', 'world-1', 'mine')));
  });
});
