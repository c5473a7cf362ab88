// What stands on a run branch, as git has it: in order, with what was merged, and whether the target has it.
import { expect, test } from 'vitest';
import { gitAt } from '../../../src/shell/git/run/git.ts';
import { landedIn, messagesOf, runCommits } from '../../../src/shell/git/store/run-commits.ts';
import { makeProject, type Project } from '../git-project.given.ts';

/** Two merges on a branch of their own, off what is on main. */
function givenRun(project: Project): {
  readonly base: string;
  readonly merges: readonly string[];
  readonly tips: readonly string[];
} {
  const base = project.git('rev-parse', 'main');
  project.git('checkout', '--quiet', '-b', 'run');
  const made = ['one', 'two'].map((name) => {
    const tip = project.branch(base, { [`${name}.txt`]: `${name}\n` });
    project.git('merge', '--quiet', '--no-ff', '-m', `Merge ${name}\n\nWanted: ${name}\n\nHeddle-Task: ${name}`, tip);
    return { tip, merge: project.git('rev-parse', 'HEAD') };
  });
  project.git('checkout', '--quiet', 'main');
  return { base, merges: made.map(({ merge }) => merge), tips: made.map(({ tip }) => tip) };
}

const landed = async (project: Project, run: ReturnType<typeof givenRun>): Promise<readonly boolean[]> => {
  const git = gitAt(`${project.folder}/.git`);
  const tip = run.merges[1] ?? '';
  const commits = (await runCommits(git, { base: run.base, tip })).map(({ commit }) => commit);
  const found = await landedIn(git, commits, project.git('rev-parse', 'main'));
  return commits.map((commit) => found.has(commit));
};

test('the merges of a run come in their order, with what was merged and what they say', async () => {
  const project = makeProject();
  const { base, merges, tips } = givenRun(project);
  const told = await runCommits(gitAt(`${project.folder}/.git`), { base, tip: merges[1] ?? '' });
  expect(told).toEqual(
    ['one', 'two'].map((name, at) => ({
      commit: merges[at],
      parent: [base, ...merges][at],
      tip: tips[at],
      message: `Merge ${name}\n\nWanted: ${name}\n\nHeddle-Task: ${name}`,
      at: Number(project.git('show', '-s', '--format=%ct', merges[at] ?? '')) * 1_000,
    })),
  );
});

test('what the target has is landed, however much of it and however it came there', async () => {
  const project = makeProject();
  const run = givenRun(project);
  expect(await landed(project, run)).toEqual([false, false]);
  project.git('merge', '--quiet', '--ff-only', run.merges[0] ?? '');
  expect(await landed(project, run)).toEqual([true, false]);
  project.commit({ 'others.txt': 'others\n' });
  project.git('merge', '--quiet', '--no-edit', run.merges[1] ?? '');
  expect(await landed(project, run)).toEqual([true, true]);
});

test('a target with the same files has all of it, as after a squash', async () => {
  const project = makeProject();
  const run = givenRun(project);
  project.git('merge', '--quiet', '--squash', run.merges[1] ?? '');
  project.git('commit', '--quiet', '--message', 'all of it');
  expect(await landed(project, run)).toEqual([true, true]);
});

test('messages of commits are read at once, and commits that are gone are left out', async () => {
  const project = makeProject();
  const { merges } = givenRun(project);
  const git = gitAt(`${project.folder}/.git`);
  const told = await messagesOf(git, [...merges, 'f'.repeat(40)]);
  expect([...told.keys()].toSorted()).toEqual([...merges].toSorted());
  expect(told.get(merges[0] ?? '')).toBe('Merge one\n\nWanted: one\n\nHeddle-Task: one');
  expect(await messagesOf(git, [])).toEqual(new Map());
});
