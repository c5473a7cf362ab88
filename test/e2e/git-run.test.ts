// Runs in a real repository: sandboxes, merges, a branch at the end; and the user's checkout as it was.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { pidInAttempt } from '../../src/shell/host/attempt-folder.given.ts';
import { endRepositoriesAfterEach, givenRepository } from './git-commands/repository.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';

endRepositoriesAfterEach();

describe('a run in a repository', () => {
  test('is refused before it starts when a branch is in the way of its own', async () => {
    const project = givenRepository('tasks: { one: { run: echo 1 > one } }\n');
    project.git('branch', 'heddle');
    const { code, errors } = await project.heddle('run', 'plan.yaml');
    expect(code).toBe(2);
    expect(errors).toContain('There is a branch heddle here');
    project.git('branch', '-m', 'heddle', 'other');
    expect((await project.heddle('run', 'plan.yaml')).code).toBe(0);
  });

  test('checks each copy, and the merge of all, by commands with their values', async () => {
    const project = givenRepository(`inputs: { kind: txt }
merge: { check: 'test "$(ls src/*.{{ inputs.kind }} | wc -l)" = 3' }
tasks:
  f: { for_each: { in: [one, "it's"], task: { run: "echo {{ item }} > src/{{ item }}.new", check: "grep -qx {{ item }} src/{{ item }}.new" } } }
`);
    const { code, errors } = await project.heddle('run', 'plan.yaml');
    expect([code, errors]).toEqual([0, expect.any(String)]);
    expect(project.git('show', "heddle/world-1:src/it's.new")).toBe("it's");
  });

  test('takes no name whose branch is there already, so that none of the user is moved', async () => {
    const project = givenRepository('tasks: { one: { run: echo 1 > one } }\n');
    const { git } = project;
    git('branch', 'heddle/world-1');
    git('branch', 'heddle/world-2/mine');
    expect((await project.heddle('run', 'plan.yaml')).code).toBe(0);
    expect(git('branch', '--list', '--format=%(refname:short)', 'heddle/*').split('\n')).toEqual([
      'heddle/world-1',
      'heddle/world-2/mine',
      'heddle/world-3',
    ]);
    expect(git('rev-parse', 'heddle/world-1')).toBe(git('rev-parse', 'HEAD'));
  });

  test('starts each task from its needs and nothing else, and merges all of them to a branch', async () => {
    const project = givenRepository(`merge: { check: test -s src/one.txt }
tasks:
  one: { run: echo more >> src/one.txt }
  other: { run: echo other > src/other.txt }
  after: { needs: [one], run: ls src > src/list.txt }
`);
    const { git } = project;
    writeFileSync(project.file('src/two.txt'), 'dirty\n');
    const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain', 'src')];
    expect((await project.heddle('run', '--json')).code).toBe(0);
    expect(git('show', 'heddle/world-1:src/list.txt').split('\n')).toEqual([
      'list.txt',
      'one.txt',
      'shared.txt',
      'two.txt',
    ]);
    expect(git('show', 'heddle/world-1:src/one.txt')).toBe('one\nmore');
    expect(git('show', 'heddle/world-1:src/other.txt')).toBe('other');
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain', 'src')]).toEqual(before);
    expect(git('status', '--porcelain')).not.toContain('.heddle');
    expect(git('for-each-ref', '--format=%(refname)').split('\n')).toEqual([
      'refs/heads/heddle/world-1',
      'refs/heads/main',
      'refs/heddle/world-1/base',
    ]);
  });

  test('keeps the work of an agent from before its question or its repaired answer, and continues from it', async () => {
    const project = givenRepository(`agents: { ai: { use: scripted } }
agent: ai
merge: { check: test -s src/one.txt }
tasks:
  asks: { prompt: "@write src/half.txt half\\n@ask Which one?" }
  misfits:
    prompt: "@forget\\n@append src/tries.txt once.\\n@say 7\\n@once .tried @say no value"
    output: { type: number }
`);
    const { git } = project;
    expect((await project.heddle('run', '--wait', '0s')).code).toBe(3);
    await project.heddle('answer', 'asks', '@write src/whole.txt whole');
    expect((await project.heddle('resume')).code).toBe(0);
    expect(git('show', 'heddle/world-1:src/half.txt')).toBe('half');
    expect(git('show', 'heddle/world-1:src/whole.txt')).toBe('whole');
    expect(git('show', 'heddle/world-1:src/tries.txt')).toBe('once.once.');
  });

  test('publishes one commit per task, by the user, with the agent as co-author and its answer', async () => {
    const project = givenRepository(`agents: { ai: { use: scripted, model: small } }
tasks:
  one: { description: Say more, steps: [{ prompt: "@write src/a.txt a" }, { prompt: "@write src/b.txt b\\n@say All b." }] }
  two: { run: echo more >> src/two.txt }
  both: { needs: [one, two], run: cat src/a.txt src/two.txt > src/both.txt }
`);
    const { git } = project;
    expect((await project.heddle('run')).code).toBe(0);
    expect(git('log', '--format=%s|%an|%ae|%cn', 'main..heddle/world-1').split('\n').toSorted()).toEqual([
      'both: cat src/a.txt src/two.txt > src/both.txt|someone|someone@localhost|someone',
      'one: Say more|someone|someone@localhost|someone',
      'two: echo more >> src/two.txt|someone|someone@localhost|someone',
    ]);
    expect(git('rev-list', '--min-parents=2', 'heddle/world-1')).toBe('');
    expect(git('log', '-1', '--format=%B', '--grep=^one', 'heddle/world-1')).toBe(
      'one: Say more\n\nAll b.\n\nCo-authored-by: scripted (small) <scripted@heddle.invalid>\nHeddle-Task: one',
    );
    expect((await project.heddle('land', '--yes')).code).toBe(0);
    expect(git('rev-parse', 'main')).toBe(git('rev-parse', 'heddle/world-1'));
  });

  test.for(['task', 'step'])('keeps the messages of commits that agents make themselves, per %s', async (commits) => {
    const commit = (text: string): string => `@run git add -A && git commit -qm '${text}'`;
    const project = givenRepository(`merge: { commits: ${commits} }
agents: { ai: { use: scripted } }
tasks:
  one:
    steps:
      - { id: a, prompt: "First.\\n@write src/a.txt a\\n${commit('Add a')}\\n@write src/a.txt b\\n${commit('Mend a\\u001b[2J')}" }
      - { id: b, prompt: "Second.\\n@write src/b.txt b\\n@say All b." }
  two: { needs: one, prompt: "Third.\\n@write src/c.txt c\\n@say All\\u0001 c." }
`);
    const { git } = project;
    expect((await project.heddle('run')).code).toBe(0);
    const author = 'Co-authored-by: scripted <scripted@heddle.invalid>';
    const own = 'Add a\n\nMend a[2J';
    const messages = git('log', '--reverse', '--format=%B%x00', 'main..heddle/world-1').split('\0');
    expect(messages.map((message) => message.trim()).slice(0, -1)).toEqual([
      ...(commits === 'step' ? [`one: a\n\n${own}\n\n${author}`] : []),
      `one: First.\n\n${commits === 'step' ? '' : `${own}\n\n`}All b.\n\n${author}\nHeddle-Task: one`,
      `two: Third.\n\nAll c.\n\n${author}\nHeddle-Task: two`,
    ]);
  });

  test('publishes a commit per step where the plan says so', async () => {
    const project = givenRepository(`merge: { commits: step }
tasks:
  one: { steps: [{ id: first, run: echo 1 >> src/one.txt }, { id: idle, run: "true" }, { id: last, run: echo 2 >> src/one.txt }] }
  two: { run: echo more >> src/two.txt }
  both: { needs: [one, two], steps: [{ id: a, run: echo 3 >> src/one.txt }, { id: b, run: echo 3 >> src/two.txt }] }
`);
    const { git } = project;
    expect((await project.heddle('run')).code).toBe(0);
    expect(git('rev-list', '--min-parents=2', 'heddle/world-1')).toBe('');
    const subjects = git('log', '--reverse', '--format=%s', 'main..heddle/world-1').split('\n');
    expect(subjects.filter((subject) => !subject.startsWith('two'))).toEqual([
      'one: first',
      'one: echo 1 >> src/one.txt',
      'both: a',
      'both: echo 3 >> src/one.txt',
    ]);
    const both = git('log', '-1', '--format=%H', '--grep=^both: a', 'heddle/world-1');
    expect(git('show', '--format=', '--name-only', both)).toBe('src/one.txt');
    expect(git('show', 'heddle/world-1:src/one.txt')).toBe('one\n1\n2\n3');
  });

  test('takes the planned side of files that never conflict', async () => {
    const project =
      givenRepository(`merge: { on_conflict: stop, take: { "notes/*.md": union, src/one.txt: task, src/two.txt: run } }
sandbox: { isolation: none }
tasks:
  early: { run: "mkdir notes; echo early > notes/a.md; echo early > src/one.txt; echo early > src/two.txt" }
  late:
    run: "until [ -e $HEDDLE_HOME/go ]; do sleep 0.05; done; mkdir notes; for f in notes/a.md src/one.txt src/two.txt; do echo late > $f; done"
  after: { needs: [early, late], run: cat notes/a.md > src/after.txt }
`);
    const going = project.start('run', '--json');
    await going.sees(({ type, task }) => type === 'task.ended' && task === 'early');
    writeFileSync(join(project.home, 'go'), '');
    expect((await going.ended).code).toBe(0);
    const show = (file: string): string => project.git('show', `heddle/world-1:${file}`);
    expect(show('notes/a.md').split('\n').toSorted()).toEqual(['early', 'late']);
    expect(show('src/after.txt').split('\n').toSorted()).toEqual(['early', 'late']);
    expect([show('src/one.txt'), show('src/two.txt')]).toEqual(['late', 'early']);
  });

  test('notices that merged work is gone: its tasks have failed, later ones are merged, and a retry does it again', async () => {
    const project = givenRepository(`sandbox: { isolation: none }
tasks:
  one: { run: echo more >> src/one.txt }
  two: { run: "until [ -e $HEDDLE_HOME/go ]; do sleep 0.05; done; echo more >> src/two.txt", attempts: 3 }
  three: { needs: [two], run: echo more >> src/three.txt }
`);
    const going = project.start('run', '--json');
    await going.sees(({ type, task }) => type === 'task.ended' && task === 'one');
    rmSync(join(project.home, 'repo.git'), { recursive: true });
    writeFileSync(join(project.home, 'go'), '');
    expect(await going.ended).toMatchObject({ code: 1 });
    const { out } = await project.heddle('status', '--json');
    const { tasks }: { tasks: { task: string; stage: string; reason?: string }[] } = JSON.parse(out);
    expect(tasks.map(({ task, stage, reason }) => [task, stage, reason])).toEqual([
      ['one', 'failed', 'lost'],
      ['two', 'done', undefined],
      ['three', 'done', undefined],
    ]);
    expect((await project.heddle('retry')).code).toBe(0);
    const [branch = ''] = project.git('branch', '--list', 'heddle/*', '--format=%(refname:short)').split('\n');
    expect(project.git('diff', '--name-only', 'main', branch).split('\n')).toEqual([
      'src/one.txt',
      'src/three.txt',
      'src/two.txt',
    ]);
  });

  test('notices at its end that merged work is gone', async () => {
    const project = givenRepository(`sandbox: { isolation: none }
tasks:
  one: { run: echo more >> src/one.txt }
  two: { needs: [one], run: "touch $HEDDLE_HOME/began; until [ -e $HEDDLE_HOME/go ]; do sleep 0.05; done; exit 1" }
`);
    const going = project.start('run', '--json');
    await vi.waitFor(() => expect(existsSync(join(project.home, 'began'))).toBe(true), { timeout: PATIENCE_MS });
    rmSync(join(project.home, 'repo.git'), { recursive: true });
    writeFileSync(join(project.home, 'go'), '');
    expect((await going.ended).code).toBe(1);
    const { out } = await project.heddle('status');
    expect(out).toContain('one  its merged work is gone from .heddle/repo.git');
  });

  test('continues after its coordinator was killed, and merges everything once', async () => {
    const project = givenRepository(`sandbox: { isolation: none }
tasks:
  one: { run: echo more >> src/one.txt }
  two: { run: "until [ -e $HEDDLE_HOME/go ]; do sleep 0.05; done; echo more >> src/two.txt" }
  after: { needs: [two], run: cat src/two.txt > src/after.txt }
`);
    const going = project.start('run', '--json');
    await going.sees(({ type, task }) => type === 'task.ended' && task === 'one');
    process.kill(going.pid, 'SIGKILL');
    await going.ended;
    writeFileSync(join(project.home, 'go'), '');
    expect((await project.heddle('resume', '--json')).code).toBe(0);
    const claims = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.made');
    expect(claims.map(({ task, attempt }) => `${task}#${attempt}`).toSorted()).toEqual(['after#1', 'one#1', 'two#1']);
    expect(project.git('show', 'heddle/world-1:src/after.txt')).toBe('two\nmore');
    expect(project.git('log', '--format=%s', 'main..heddle/world-1').split('\n').toSorted()).toEqual([
      'after: cat src/two.txt > src/after.txt',
      'one: echo more >> src/one.txt',
      expect.stringMatching(/^two: until .{60,}…$/),
    ]);
  });

  test('continues in the sandbox of a killed worker, where no lock of its git is left', async () => {
    const project = givenRepository(`sandbox: { isolation: none }
tasks:
  cut:
    attempts: 2
    retry: continue
    run: |
      if [ ! -e half ]; then echo half > half; touch "$(git rev-parse --git-dir)/index.lock" "$HEDDLE_HOME/here"; sleep 600; fi
      git add half && git commit -qm mine
`);
    const going = project.start('run', '--json');
    await vi.waitUntil(() => existsSync(join(project.home, 'here')), PATIENCE_MS);
    process.kill(pidInAttempt(project.attempt({ work: 'step', task: 'cut', step: 'main', attempt: 1 })), 'SIGKILL');
    expect((await going.ended).code).toBe(0);
    const claims = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.made');
    expect(claims.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(project.git('show', 'heddle/world-1:half')).toBe('half');
  });

  test('leaves a conflict to a person while the others go on', async () => {
    const project = givenRepository(`tasks:
  mine: { run: echo mine >> src/shared.txt }
  yours: { needs: [], run: sleep 1; echo yours >> src/shared.txt }
  alone: { run: echo alone > src/alone.txt }
`);
    expect((await project.heddle('run', '--json', '--wait', '0')).code).toBe(3);
    const asked = (await project.events()).filter(({ type }) => type === 'claim.asked');
    expect(asked.map(({ task }) => task)).toEqual(['yours']);
    expect((await project.heddle('reject', 'yours')).code).toBe(0);
    expect((await project.heddle('resume', '--json')).code).toBe(1);
    expect(project.git('show', 'heddle/world-1:src/shared.txt')).toBe('shared\nmine');
    expect(project.git('show', 'heddle/world-1:src/alone.txt')).toBe('alone');
  });
});
