// Amending a run in a real repository: work for an earlier identity of a task is kept and not continued.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';
import { until, type Project } from '../world/project.given.ts';

// Told first, so that it comes last: what is mounted is gone before its folder is removed.
endProjectsAfterEach();
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    const inside = mounts.flatMap((line) => line.split(' ')[4] ?? []).filter((at) => at.startsWith(`${folder}/`));
    for (const at of inside.toReversed()) execFileSync('umount', [at]);
  }
});

const HEAD = 'heddle: 1\nname: world\nattempts: 1\nsandbox: { isolation: none }\ntasks:\n';

function givenRepository(tasks: string): Project & { readonly git: (...words: readonly string[]) => string } {
  const project = givenProject(`${HEAD}${tasks}`);
  folders.push(project.folder);
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: project.folder, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'someone');
  git('config', 'user.email', 'someone@localhost');
  writeFileSync(project.file('start.txt'), 'start\n');
  git('add', 'start.txt');
  git('commit', '-qm', 'start');
  return { ...project, git };
}

test('a restarted task starts from its needs, and its earlier work is kept', async () => {
  const project = givenRepository(`  a:
    steps:
      - { id: one, run: echo old > old.txt }
      - { id: two, run: 'echo half > half.txt; touch "$HEDDLE_HOME/../two.here"; sleep 60' }
  b: { run: echo b > b.txt }
`);
  const going = project.start('run', '--json');
  await until(() => existsSync(project.file('two.here')));
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'b');
  writeFileSync(
    project.file('plan.yaml'),
    `${HEAD}  a: { run: echo anew > anew.txt }\n  b: { run: echo b > b.txt }\n  c: { needs: [b], run: cat b.txt > c.txt }\n`,
  );
  const amended = await project.heddle('amend', '--yes');
  expect([amended.code, amended.out]).toEqual([0, expect.stringContaining('a begins anew; c is added')]);
  expect((await going.ended).code).toBe(0);
  const { git } = project;
  expect(git('ls-tree', '--name-only', 'heddle/world-1').split('\n')).toEqual([
    'anew.txt',
    'b.txt',
    'c.txt',
    'start.txt',
  ]);
  const { out } = await project.heddle('recover', '--json');
  expect(out).toContain('checkpoints/a/one/1');
  expect(out).toContain('salvage/a');
});

test('a failed task that was put right is merged, and what was merged before stays and cannot be changed', async () => {
  const project = givenRepository('  a: { run: echo a > a.txt }\n  bad: { needs: [a], run: exit 1 }\n');
  expect((await project.heddle('run')).code).toBe(1);
  const merged = project.git('rev-parse', 'heddle/world-1');
  const right = '  bad: { needs: [a], run: cat a.txt > good.txt }\n';
  writeFileSync(project.file('plan.yaml'), `${HEAD}  a: { run: echo other > a.txt }\n${right}`);
  const refused = await project.heddle('amend', '--yes');
  expect([refused.code, refused.out]).toEqual([2, expect.stringContaining('a is done, and its command changed')]);
  expect(project.git('rev-parse', 'heddle/world-1')).toBe(merged);
  writeFileSync(project.file('plan.yaml'), `${HEAD}  a: { run: echo a > a.txt }\n${right}`);
  expect((await project.heddle('amend', '--yes')).code).toBe(0);
  expect(project.git('show', 'heddle/world-1:good.txt')).toBe('a');
  expect(() => project.git('merge-base', '--is-ancestor', merged, 'heddle/world-1')).not.toThrow();
});
