// Whole runs in which the work of two tasks does not fit together.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './world/given-project.given.ts';
import { until, type Going, type Line, type Project } from './world/project.given.ts';

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

interface Repository extends Project {
  readonly git: (...words: readonly string[]) => string;
}

const HEAD = `heddle: 1
name: world
max_parallel: 4
agents: { ai: { use: scripted } }
agent: ai
`;
/** So that agents can wait for files that the test makes outside. */
const OPEN = 'sandbox: { isolation: none }\n';

/** What each agent does: its line goes to the shared file, and what does not fit there is settled by `settle`. */
const work = (settle: string): string => `
if grep -q '^<<<<<<<' src/shared.txt; then ${settle}
elif ! grep -q "^$1$" src/shared.txt; then echo "$1" >> src/shared.txt
fi
`;
/** The second to come waits for the first to be merged. */
const WAIT = 'until [ -e $HEDDLE_HOME/go ]; do sleep 0.05; done';
const KEEP_BOTH = String.raw`sed -i '/^[<|=>]\{7\}/d' src/shared.txt`;

function givenRepository(plan: string, settle: string): Repository {
  const project = givenProject(`${HEAD}${plan}`);
  folders.push(project.folder);
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: project.folder, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'someone');
  git('config', 'user.email', 'someone@localhost');
  mkdirSync(join(project.folder, 'src'));
  writeFileSync(project.file('src/shared.txt'), 'shared\n');
  writeFileSync(project.file('work.sh'), work(settle));
  git('add', 'src', 'work.sh');
  git('commit', '-qm', 'start');
  return { ...project, git };
}

/** Starts the run, and lets the second task go on when the first is merged. */
async function begin(project: Project, ...words: readonly string[]): Promise<Going> {
  const going = project.start('run', '--json', ...words);
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'mine');
  writeFileSync(join(project.home, 'go'), '');
  return going;
}

async function typesOf(project: Project, task: string): Promise<readonly string[]> {
  const events = (await project.events()).filter((event) => event.task === task);
  return events.flatMap(({ type, work }) => {
    if (work === undefined) return [type];
    return work === 'merge' || work === 'resolve' ? [`${type} ${work}`] : [];
  });
}

const isConflict = ({ type, work, reason }: Line): boolean =>
  work === 'merge' && type !== 'claim.made' && reason === 'conflict';

const linesOf = (project: Repository, run = 'world-1'): readonly string[] =>
  project.git('show', `heddle/${run}:src/shared.txt`).split('\n').toSorted();

const BOTH = `tasks:
  mine: { prompt: "@run sh work.sh mine", check: grep -q mine src/shared.txt }
  yours: { prompt: "@run ${WAIT}; sh work.sh yours", check: grep -q yours src/shared.txt }
  alone: { prompt: "@write src/alone.txt alone" }
`;

describe('a conflict in a run', () => {
  test('is resolved by the agent of the task, in its own sandbox, and merged', async () => {
    const project = givenRepository(BOTH.replace(`${WAIT}; `, ''), KEEP_BOTH);
    const { code, errors } = await project.heddle('run', '--json');
    expect({ code, errors }).toMatchObject({ code: 0 });
    expect(linesOf(project)).toEqual(['mine', 'shared', 'yours']);
    const conflicted = (await project.events()).flatMap((event) => (isConflict(event) ? [event.task] : []));
    expect(conflicted).toHaveLength(1);
    const late = conflicted[0] ?? '';
    expect(await typesOf(project, late)).toEqual([
      'task.opened',
      'claim.made merge',
      'claim.ended merge',
      'claim.made resolve',
      'claim.ended resolve',
      'claim.made merge',
      'claim.ended merge',
      'task.ended',
    ]);
    const ours = `--git-dir=${join(project.home, 'repo.git')}`;
    const parents = project.git(
      ours,
      'log',
      '-1',
      '--format=%P',
      `--grep=^Heddle-Resolves: ${late}$`,
      'heddle/world-1',
    );
    expect(parents.split(' ')).toHaveLength(2);
    expect(project.git('rev-list', '--min-parents=2', 'heddle/world-1')).toBe('');
    expect(project.git('log', '--format=%s', 'heddle/world-1')).not.toContain('Both sides of a conflict');
    expect(project.git('fsck', '--no-dangling')).toBe('');
  });

  test('that has been resolved is settled the same way in another run, without its agent', async () => {
    const project = givenRepository(BOTH.replace(`${WAIT}; `, ''), KEEP_BOTH);
    expect((await project.heddle('run', '--json')).code).toBe(0);
    expect((await project.heddle('run', '--json')).code).toBe(0);
    expect(linesOf(project, 'world-2')).toEqual(['mine', 'shared', 'yours']);
    const events = await project.events();
    expect(events.filter(({ type }) => type === 'task.ended')).toHaveLength(3);
    expect(events.filter(isConflict)).toEqual([]);
    expect(project.git('rev-parse', 'heddle/world-1:src/shared.txt')).toBe(
      project.git('rev-parse', 'heddle/world-2:src/shared.txt'),
    );
  });

  test('is not settled by what the check of the other side does not pass', async () => {
    const project = givenRepository(
      `${OPEN}attempts: 1\n${BOTH.replace('mine: {', 'mine: { description: Add a line.,')}`,
      "printf 'shared\\nyours\\nand something\\n' > src/shared.txt",
    );
    const going = await begin(project);
    expect((await going.ended).code).toBe(1);
    const ended = (await project.events()).find(({ type, task }) => type === 'task.ended' && task === 'yours');
    expect(ended).toMatchObject({ ending: 'failed', reason: 'check' });
    expect(linesOf(project)).toEqual(['mine', 'shared']);
  });

  test('goes to the agent again with what was wrong, then to a person, while the others go on', async () => {
    const project = givenRepository(
      `${OPEN}attempts: 2
tasks:
  mine: { prompt: "@run sh work.sh mine" }
  yours: { description: Add a line., prompt: "@run ${WAIT}; sh work.sh yours" }
  alone: { prompt: "@run until [ -e $HEDDLE_HOME/asked ]; do sleep 0.05; done; echo alone > src/alone.txt" }
  after: { needs: [alone], prompt: "@write src/after.txt after" }
`,
      'true',
    );
    const going = await begin(project, '--wait', '0');
    await going.sees(({ type, work, task }) => work === 'resolve' && type === 'claim.asked' && task === 'yours');
    writeFileSync(join(project.home, 'asked'), '');
    expect((await going.ended).code).toBe(3);
    const events = await project.events();
    expect(events.filter(({ type, work }) => work === 'resolve' && type === 'claim.made')).toHaveLength(2);
    expect(events.find(({ type, work }) => work === 'resolve' && type === 'claim.returned')).toMatchObject({
      says: 'The conflict is not resolved. There are conflict markers in src/shared.txt.',
    });
    const done = events.filter(({ type, ending }) => type === 'task.ended' && ending === 'done');
    expect(done.map(({ task }) => task)).toEqual(expect.arrayContaining(['after', 'alone', 'mine']));
    expect((await project.heddle('status', '--json')).out).toContain('There are conflict markers in src/shared.txt.');
    expect((await project.heddle('merge', 'yours')).code).toBe(3);
    expect((await project.heddle('open', 'yours', '--command', KEEP_BOTH)).code).toBe(0);
    expect((await project.heddle('merge', 'yours', '--json')).code).toBe(0);
    expect(linesOf(project)).toEqual(['mine', 'shared', 'yours']);
  });

  test.each(['the coordinator alone', 'all of it'])(
    'is resolved once though %s is killed in the middle of the turn',
    async (what) => {
      const settle = `echo $$ > "$HEDDLE_HOME/here"; until [ -e "$HEDDLE_HOME/settle" ]; do sleep 0.05; done; ${KEEP_BOTH}`;
      const project = givenRepository(`${OPEN}${BOTH}`, settle);
      const going = await begin(project);
      await until(() => existsSync(join(project.home, 'here')));
      process.kill(going.pid, 'SIGKILL');
      await going.ended;
      if (what === 'all of it') await project.endProcesses();
      writeFileSync(join(project.home, 'settle'), '');
      expect((await project.heddle('resume', '--json')).code).toBe(0);
      expect(linesOf(project)).toEqual(['mine', 'shared', 'yours']);
      const merges = project.git('log', '--format=%(trailers:key=Heddle-Task,valueonly)', 'main..heddle/world-1');
      expect(merges.split(/\n+/).toSorted()).toEqual(['alone', 'mine', 'yours']);
      const claimed = (await project.events()).filter(({ type, work }) => work === 'resolve' && type === 'claim.made');
      expect(claimed).toHaveLength(what === 'all of it' ? 2 : 1);
    },
  );
});
