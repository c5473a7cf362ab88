import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { gitProcessesIn } from '../git/run/git-processes.ts';
import type { Sandbox, SandboxRequest } from './sandbox.ts';
import {
  AT,
  git,
  givenProject,
  givenSandboxes,
  inside,
  mountsIn,
  needOf,
  removeProject,
  WAYS,
  type GivenRepository,
} from './sandboxes.given.ts';
import { skipUnless } from '../../../test/needs.given.ts';
import type { Sandboxes } from './sandboxes.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';

const REF = 'refs/heddle/r/checkpoints/t/main/1';

/** What every kind of tree must do. */
for (const way of WAYS)
  describe(`a sandbox of the kind ${way}`, async () => {
    skipUnless(await needOf(way));
    let project: GivenRepository;
    let sandboxes: Sandboxes;
    beforeEach(async () => {
      project = await givenProject(way);
      sandboxes = await givenSandboxes(project, way);
    });
    afterEach(async () => removeProject(project));

    const open = async (more: Partial<SandboxRequest> = {}): Promise<Sandbox> => {
      const request = { run: 'r', task: 't', base: project.base, from: undefined, at: AT, ...more };
      const opened = await sandboxes.open(request);
      if (opened.type === 'failed') throw new Error(opened.failure.code);
      return opened.sandbox;
    };
    const committed = async (sandbox: Sandbox, ref = REF): Promise<string> => {
      const done = await sandbox.checkpoint({ message: 'Work\n', at: AT, ref });
      if (done.type !== 'committed') throw new Error(JSON.stringify(done));
      return done.commit;
    };
    const show = (commit: string, path: string): string => git(project.repository.gitDir, 'show', `${commit}:${path}`);

    test('has the files of its base with their bits and links, and git finds nothing to say', async () => {
      const sandbox = await open();
      expect(inside(sandbox, 'cat README.md; ./run.sh; readlink link; cat "a b \\"c\\" ü.txt" -- -dash')).toBe(
        'one\nran\nsrc/a.txtodd\ndash\n'.replace('a.txt', 'a.txt\n'),
      );
      expect(inside(sandbox, 'git status --porcelain; git log --format=%s; git symbolic-ref HEAD')).toBe(
        'base\nrefs/heads/heddle/r/t\n',
      );
      expect(inside(sandbox, 'printf "$TMPDIR"; test -d "$TMPDIR"')).toContain('/tmp');
    });

    test('keeps what is written in it from the project and from other sandboxes', async () => {
      const one = await open();
      const other = await open({ task: 'other' });
      inside(one, 'echo changed > src/a.txt; rm README.md; echo more > more.txt');
      expect(inside(other, 'cat src/a.txt README.md; ls more.txt 2>/dev/null || echo none')).toBe('a\none\nnone\n');
      expect(git(project.folder, 'status', '--porcelain')).toBe('');
    });

    test('lets an agent commit by itself', async () => {
      const sandbox = await open();
      inside(sandbox, 'echo x > x; git add -A; git commit -qm mine');
      expect(inside(sandbox, 'git log --format=%s')).toBe('mine\nbase\n');
    });

    test('commits untracked files and no ignored ones, with an id that content and date decide', async () => {
      const work = 'echo new > "a new file"; echo no > ignored; rm README.md; mv src/a.txt src/A.txt; chmod -x run.sh';
      const sandbox = await open();
      inside(sandbox, work);
      const commit = await committed(sandbox);
      const changed = git(project.repository.gitDir, 'diff-tree', '-r', '--name-status', project.base, commit);
      expect(changed.split('\n').sort()).toEqual([
        'A\ta new file',
        'A\tsrc/A.txt',
        'D\tREADME.md',
        'D\tsrc/a.txt',
        'M\trun.sh',
      ]);
      expect(git(project.repository.gitDir, 'show', '-s', '--format=%an %at %ce %P', commit)).toBe(
        `Heddle ${AT / 1000} heddle@localhost ${project.base}`,
      );
      expect(await project.repository.read(REF)).toBe(commit);
      expect(inside(sandbox, 'git status --porcelain; git rev-parse HEAD')).toBe(`${commit}\n`);

      const twin = await open({ task: 'twin' });
      inside(twin, work);
      expect(await committed(twin, 'refs/heddle/r/checkpoints/twin/main/1')).toBe(commit);
    });

    test('says that nothing changed, and names the commit before', async () => {
      const sandbox = await open();
      expect(await sandbox.checkpoint({ message: 'Nothing', at: AT, ref: REF })).toEqual({
        type: 'unchanged',
        commit: project.base,
      });
      expect(await project.repository.read(REF)).toBe(project.base);
    });

    test('goes on with a git that works after a step that touched nothing', async () => {
      const sandbox = await open();
      const request = { message: 'Work\n', at: AT, ref: REF };
      expect(await sandbox.checkpoint(request)).toEqual({ type: 'unchanged', commit: project.base });
      expect(inside(await open(), 'git status --porcelain; git rev-parse HEAD')).toBe(`${project.base}\n`);
    });

    test('notices a change of the same length that comes at once, whenever it is looked for', async () => {
      for (const pauseMs of [0, 1_100]) {
        const sandbox = await open({ task: `p${pauseMs}` });
        inside(sandbox, 'printf "two\\n" > README.md');
        await setTimeout(pauseMs);
        const first = await committed(sandbox, `refs/heddle/r/checkpoints/p${pauseMs}/main/1`);
        inside(sandbox, 'printf "six\\n" > README.md');
        await setTimeout(pauseMs);
        const second = await committed(sandbox, `refs/heddle/r/checkpoints/p${pauseMs}/main/2`);
        expect([show(first, 'README.md'), show(second, 'README.md')]).toEqual(['two', 'six']);
      }
    });

    test('opened again it has no locks of gits that were killed, and those of a git at work', async () => {
      const lock = 'cd "$(git rev-parse --git-dir)"; touch index.lock HEAD.lock refs/heads/heddle/r/t.lock';
      inside(await open(), `echo half > half; ${lock}; mkdir -p refs/tags/deep; touch refs/tags/deep/v1.lock`);
      expect(inside(await open(), 'git add -A; git commit -qm mine; git tag deep/v1; git log --format=%s')).toBe(
        'mine\nbase\n',
      );
      const [program = '', ...args] = (await open()).wrap(['git', 'commit', '-qa', '--amend']);
      const environment = {
        ...process.env,
        GIT_EDITOR: 'sleep 60; false',
        GIT_AUTHOR_NAME: 'A',
        GIT_COMMITTER_NAME: 'A',
      };
      const editing = spawn(program, args, {
        cwd: (await open()).folder,
        env: environment,
        stdio: 'ignore',
        detached: true,
      });
      const isLocked = (sandbox: Sandbox): boolean => existsSync(join(sandbox.gitDir, 'index.lock'));
      try {
        await vi.waitUntil(async () => isLocked(await open()), PATIENCE_MS);
        expect(isLocked(await open())).toBe(true);
      } finally {
        process.kill(-(editing.pid ?? 0), 'SIGKILL');
      }
      await once(editing, 'exit');
      // The rest of the group may take a moment longer to end than its leader.
      const { folder } = await open();
      await vi.waitUntil(() => gitProcessesIn(folder).length === 0, PATIENCE_MS);
      expect(isLocked(await open())).toBe(false);
    });

    test('goes on where it was when it is opened again', async () => {
      inside(await open(), 'echo half > half');
      const again = await open();
      expect(inside(again, 'cat half')).toBe('half\n');
      const commit = await committed(again);
      inside(await open({ from: commit }), 'echo more >> half');
      expect(inside(await open({ from: project.base }), 'cat half')).toBe('half\nmore\n');
    });

    test('begins with its base for another life of its task, keeps what the one before left, and goes on in it', async () => {
      const earlier = await open();
      inside(earlier, 'echo old > old.txt');
      await committed(earlier);
      inside(earlier, 'echo half > half.txt');
      const request = { run: 'r', task: 't', base: project.base, from: undefined, at: AT, life: 1 };
      const opened = await sandboxes.open(request);
      if (opened.type === 'failed') throw new Error(opened.failure.code);
      expect(inside(opened.sandbox, 'ls; git status --porcelain')).not.toMatch(/old|half/);
      expect(opened.salvaged.map(({ commit }) => show(commit, 'half.txt'))).toEqual(['half']);
      inside(opened.sandbox, 'echo anew > anew.txt');
      expect(inside(await open({ life: 1 }), 'cat anew.txt')).toBe('anew\n');
      expect(inside(await open(), 'cat anew.txt')).toBe('anew\n');
    });

    test('keeps the conversations of its task when another attempt begins clean, and none for another life', async () => {
      const sandbox = await open();
      const conversation = join(dirname(sandbox.folder), 'home', 'codex', 'session.jsonl');
      mkdirSync(dirname(conversation), { recursive: true });
      writeFileSync(conversation, '{}');
      inside(sandbox, 'echo half > half.txt');
      expect(inside(await open({ isClean: true }), 'ls half.txt || echo clean')).toBe('clean\n');
      expect(existsSync(conversation)).toBe(true);
      await open({ life: 1 });
      expect(existsSync(conversation)).toBe(false);
    });

    test('is made from a checkpoint that another sandbox left', async () => {
      const first = await open();
      inside(first, 'echo done > done; git rm -q src/deep/b.txt');
      const commit = await committed(first);
      await first.destroy();
      const second = await open({ from: commit });
      expect(inside(second, 'cat done; ls src; git status --porcelain; git rev-parse HEAD')).toBe(
        `done\na.txt\n${commit}\n`,
      );
      inside(second, 'echo again > again');
      const next = await committed(second, `${REF}1`);
      expect(git(project.repository.gitDir, 'rev-parse', `${next}^`)).toBe(commit);
    });

    test('goes back to a checkpoint and keeps what was not committed', async () => {
      const sandbox = await open();
      inside(sandbox, 'echo one > file');
      const commit = await committed(sandbox);
      inside(sandbox, 'echo two > file; echo extra > extra; echo no > ignored');
      const reset = await sandbox.reset(commit);
      expect(reset).toMatchObject({ type: 'reset', salvaged: [{ ref: expect.stringContaining('/salvage/t/files-') }] });
      expect(inside(sandbox, 'cat file; ls extra ignored 2>/dev/null || true; git status --porcelain')).toBe('one\n');
      const salvaged = reset.type === 'reset' ? (reset.salvaged[0]?.commit ?? '') : '';
      expect([show(salvaged, 'file'), show(salvaged, 'extra')]).toEqual(['two', 'extra']);
    });

    test('is gone without a trace when it is destroyed, and what was in it is kept', async () => {
      const sandbox = await open();
      inside(sandbox, 'echo work > work; git add -A; git commit -qm own; git checkout -q --detach; echo lost > lost');
      const destroyed = await sandbox.destroy();
      expect(destroyed).toMatchObject({ type: 'destroyed' });
      const refs = await project.repository.list('refs/heddle/r/salvage');
      const contents = refs.map(({ commit }) => git(project.repository.gitDir, 'ls-tree', '--name-only', commit));
      expect(contents.some((names) => names.includes('lost'))).toBe(true);
      expect(git(project.repository.gitDir, 'log', '--format=%s', ...refs.map(({ ref }) => ref))).toContain('own');
      expect(mountsIn(project.home)).toEqual([]);
      expect(readdirSync(join(project.home, 'sandboxes'))).toEqual([]);
      expect(readdirSync(join(project.home, 'trash'))).toEqual([]);
      expect(await sandboxes.find()).toEqual([]);
    });

    test('gives a candidate the tree of a commit, and throws it away', async () => {
      const sandbox = await open();
      inside(sandbox, 'echo merged > merged; rm -r src; mkdir src; echo s > src/s');
      const commit = await committed(sandbox);
      for (const wanted of [commit, project.base, commit]) {
        const opened = await sandboxes.candidate({ commit: wanted, name: 'k1' });
        if (opened.type === 'failed') throw new Error(opened.failure.code);
        const { candidate } = opened;
        const expected = git(project.repository.gitDir, 'rev-parse', `${wanted}^{tree}`);
        expect(inside(candidate, 'git status --porcelain; git add -A; git write-tree')).toBe(`${expected}\n`);
        inside(candidate, 'echo junk > junk; echo junk >> run.sh; echo no > ignored');
        expect(await candidate.destroy()).toEqual({ type: 'destroyed', salvaged: [] });
      }
      expect(readdirSync(join(project.home, 'candidates'))).toEqual([]);
    });
  });

test('sandboxes that no run needs are all removed at once, though several names share a lock', async () => {
  const project = await givenProject();
  onTestFinished(() => removeProject(project));
  const sandboxes = await givenSandboxes(project, 'checkout');
  // Names are spread over 256 locks.
  const locks = (task: string): number => createHash('sha256').update(`r/${task}`).digest().readUInt16BE(0) % 256;
  const names = Array.from({ length: 400 }, (_, index) => `t${index}`);
  const shared = names.filter((name) => locks(name) === locks('t0')).slice(0, 2);
  const tasks = [...new Set([...shared, ...names])].slice(0, 10);
  expect(shared).toHaveLength(2);
  for (const task of tasks) {
    const opened = await sandboxes.open({ run: 'r', task, base: project.base, from: undefined, at: AT });
    if (opened.type === 'failed') throw new Error(opened.failure.code);
    inside(opened.sandbox, `echo ${task} > mine`);
  }
  const recovered = await sandboxes.recover({ isWanted: () => false });
  expect(recovered.removed.map(({ task }) => task).toSorted()).toEqual(tasks.toSorted());
  expect(recovered.salvaged).toHaveLength(tasks.length);
  expect(await sandboxes.find()).toEqual([]);
});
