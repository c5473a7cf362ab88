// Agents that answer badly, and places where nothing can be drafted: one sentence each, nothing run, nothing lost.
import { describe, expect, test } from 'vitest';
import { endRepositoriesAfterEach, givenRepository } from '../git-commands/repository.given.ts';
import { givenFolder, givenGit, removeFoldersAfterEach } from '../first/folders.given.ts';
import { heddle } from '../heddle.given.ts';
import { draft, fenced, givenAnswers, GOAL, isWritten } from './drafting.given.ts';

endRepositoriesAfterEach();
removeFoldersAfterEach();

const MANY = Array.from({ length: 200 }, (_, at) => `  t${at}: { run: "true" }`).join('\n');
const RAILS = ['app/models', 'db/migrate', 'spec/models'].map(
  (folder) => `  ${folder.replace('/', '-')}: { prompt: x, check: rspec, files: ["${folder}/**"] }`,
);

const BAD: readonly (readonly [string, string, string])[] = [
  ['prose', 'I would begin with the pages, and then see.', 'no-plan'],
  ['half a plan', '```yaml\nheddle: 1\ntasks:\n  a:\n    prompt: |', 'half-plan'],
  ['YAML of something else', '```yaml\non: push\njobs: {}\n```', 'no-plan'],
  ['200 tasks', fenced(`tasks:\n${MANY}`), 'too-many-tasks'],
  ['a plan for another repository', fenced(`tasks:\n${RAILS.join('\n')}`), 'other-repository'],
  ['files outside', fenced('tasks: { a: { prompt: x, check: make, files: [../other/**] } }'), 'files-outside'],
  ['isolation off', fenced('sandbox: { isolation: none }\ntasks: { a: { prompt: x, check: make } }'), 'set-by-people'],
  ['a task that is not there', fenced('tasks: { a: { prompt: x, check: make, needs: [b] } }'), 'unknown-need'],
  [
    'a command of its own',
    fenced('agents: { x: { use: command, command: ./x } }\nagent: x\ntasks: { a: { prompt: x, check: make } }'),
    'set-by-people',
  ],
  ['two documents', fenced('tasks: { a: { prompt: x, check: make } }\n---\nheddle: 1\ntasks: {}'), 'several-documents'],
];

describe('an agent that answers', () => {
  test.each(BAD)('%s is refused by a code, and its draft is kept', async (_, answer, code) => {
    const project = givenAnswers(answer);
    const planned = await draft(project, '--yes', '--no-tests', '--rounds', '0', '--json');
    expect(planned.code, planned.errors).toBe(2);
    expect(planned.errors.trim().split('\n').at(-1)).toContain('The last draft still has errors. Nothing was written.');
    // What the program prints is read here.
    const { findings } = JSON.parse(planned.out) as { findings: readonly { code: string }[] };
    expect(findings.map((each) => each.code)).toContain(code);
    expect(isWritten(project)).toBe(false);
    expect((await project.heddle('runs')).out.trim().split('\n')).toHaveLength(1);
    expect((await project.heddle('turns', 'draft-1')).out).toContain(answer.split('\n')[0]);
  });

  test('with an error is failed with its own words', async () => {
    const project = givenAnswers('');
    const planned = await project.heddle(
      'plan',
      '@fail refused I may not do that.',
      '--agent',
      'scripted',
      '--no-tests',
    );
    expect(planned.code).toBe(1);
    expect(planned.errors).toContain('scripted could not draft the plan: I may not do that.');
  });

  test('with questions alone is told to decide, and then given up, because nobody answers', async () => {
    const project = givenAnswers('');
    const planned = await project.heddle('plan', '@ask Which colour?', '--agent', 'scripted', '--no-tests', '--yes');
    expect(planned.code).toBe(1);
    expect(planned.errors).toContain('scripted could not draft the plan: The agent asks: Which colour?');
  });

  test('in another language is understood, and its prompts stay as they are', async () => {
    const plan = fenced(
      'name: seiten\ntasks: { seite: { prompt: "Füge die Seite „Über uns“ hinzu.", check: npm test } }',
    );
    const project = givenAnswers(`Begründung auf Deutsch.\n\n${plan}`);
    const goal = '@next answers.txt\nFüge eine Seite „Über uns“ hinzu. 加一个页面。';
    const planned = await project.heddle('plan', goal, '--agent', 'scripted', '--no-tests', '--yes');
    expect(planned.code, planned.errors).toBe(0);
    expect(project.read('plan.yaml')).toContain('Füge die Seite „Über uns“ hinzu.');
    expect(project.read('plan.yaml')).toContain('加一个页面。');
  });
});

describe('where nothing can be drafted', () => {
  const plan = (cwd: string, ...words: readonly string[]) => heddle(['plan', GOAL, ...words], { cwd });

  test('a repository without a commit says what to do', () => {
    const project = givenRepository('heddle: 1\ntasks: { a: { run: "true" } }\n');
    project.git('checkout', '-q', '--orphan', 'other');
    const ran = plan(project.folder, '--agent', 'scripted');
    expect(ran.code).toBe(2);
    expect(ran.errors).toContain(
      'This repository has no commit yet, and agents work on a commit: git commit --allow-empty',
    );
  });

  test('a folder without a repository says so', () => {
    const ran = plan(givenFolder({ 'a.txt': 'a\n' }), '--agent', 'scripted');
    expect(ran.code).toBe(2);
    expect(ran.errors).toContain('This is no git repository');
  });

  test('an empty repository is planned from nothing', async () => {
    const project = givenAnswers(fenced('tasks: { skeleton: { prompt: x, check: make } }'));
    project.git('rm', '-rq', 'src', 'test', 'package.json');
    project.git('commit', '-qm', 'empty');
    const planned = await draft(project, '--yes');
    expect(planned.code, planned.errors).toBe(0);
  });

  test('without an agent it says which would do, and what works without one', () => {
    const project = givenRepository('heddle: 1\ntasks: { a: { run: "true" } }\n');
    const ran = heddle(['plan', 'Add a page'], { cwd: project.folder, env: { PATH: givenGit() } });
    expect(ran.code).toBe(2);
    expect(ran.errors.trim()).toBe(
      'heddle: No agent is installed here, and an agent writes the plan. Install one of claude, codex, opencode, gemini, pi: heddle agents says how. Without one, heddle init writes a first plan and heddle split divides a code base.',
    );
  });

  test('an agent that does not exist, or is not installed, is named', () => {
    const project = givenRepository('heddle: 1\ntasks: { a: { run: "true" } }\n');
    expect(plan(project.folder, '--agent', 'clod').errors).toContain('clod');
    const missing = heddle(['plan', 'x', '--agent', 'gemini'], { cwd: project.folder, env: { PATH: givenGit() } });
    expect(missing.errors).toContain('gemini, which is not installed here');
  });

  test('a file in a folder that is not there is refused before the agent is asked', () => {
    const project = givenRepository('heddle: 1\ntasks: { a: { run: "true" } }\n');
    const ran = plan(project.folder, '--agent', 'scripted', '--out', 'nowhere/plan.yaml');
    expect({ code: ran.code, errors: ran.errors }).toEqual({
      code: 2,
      errors: expect.stringContaining('nowhere. Check the path.'),
    });
  });

  test('a goal without words, or a run that is no drafting, is refused', async () => {
    const project = givenRepository('heddle: 1\nname: x\ntasks: { a: { run: "true" } }\n');
    expect(plan(project.folder, '--rounds', '21').errors).toContain('Give a number from 0 to 20.');
    expect(heddle(['plan', ' '], { cwd: project.folder }).errors).toContain('Say what is to be done');
    await project.heddle('run');
    expect((await project.heddle('plan', '--run', 'x-1')).errors).toContain('x-1 is a run of a plan, not a drafting.');
  });
});
