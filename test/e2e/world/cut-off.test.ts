// Turns that are cut off in the middle, by their connection or by the death of their program.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';

endProjectsAfterEach();

const HEAD = `heddle: 1
name: world
attempts: 2
sandbox: { isolation: none }
agents: { ai: { use: scripted } }
`;

const gitIn =
  (cwd: string) =>
  (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...words], {
      cwd,
      encoding: 'utf8',
    }).trim();

test('a turn that is cut off continues its conversation and its work, and repeats none of it', async () => {
  const project = givenProject(`${HEAD}tasks:
  line: { prompt: "@run echo one >> line.txt\\n@fail cut_off The line broke." }
`);
  const git = gitIn(project.folder);
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'start');
  const ran = await project.heddle('run', 'plan.yaml');
  expect(ran.code, `${ran.out}${ran.errors}`).toBe(0);
  expect(git('show', 'heddle/world-1:line.txt')).toBe('one');
  const returned = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.returned');
  expect(returned).toMatchObject([
    { reason: 'cut_off', counted: true, commit: expect.any(String), conversation: { id: 'line/main#1' } },
  ]);
  expect((await project.heddle('turns', 'line')).out).toContain(`going on with line/main#1\n> You were cut off`);
});

test('a script that dies in the middle is begun anew, and all of it is done', async () => {
  const project = givenProject('');
  const died = project.file('died');
  writeFileSync(
    project.file('plan.yaml'),
    `${HEAD}tasks:
  death: { prompt: "@run echo one > one.txt\\n@once ${died} @signal SIGKILL\\n@run echo two > two.txt" }
`,
  );
  const git = gitIn(project.folder);
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'start');
  const ran = await project.heddle('run', 'plan.yaml');
  expect(ran.code, `${ran.out}${ran.errors}`).toBe(0);
  for (const name of ['one', 'two']) expect(git('show', `heddle/world-1:${name}.txt`)).toBe(name);
  const returned = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.returned');
  expect(returned).toMatchObject([{ task: 'death', reason: 'crashed', counted: true }]);
});
