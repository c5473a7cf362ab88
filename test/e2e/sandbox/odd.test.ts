// Repositories that are not plain, each through the whole life of a sandbox: what is in it, what is committed in it, what
// is merged of it, and that the user's own repository is as it was.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../src/shell/git/repository.ts';
import { openSandboxes } from '../../../src/shell/sandbox/sandboxes.ts';
import type { Sandbox } from '../../../src/shell/sandbox/sandbox.ts';
import { fingerprintOf, gitIn, makeProject, temporaryFolder, writeFiles } from '../git-project.given.ts';
import { skipUnless } from '../../needs.given.ts';
import { AT, NO_ISOLATION, PLAIN, wayOf, needOf, WAYS, type Way } from './ways.given.ts';

interface Odd {
  /** Makes it and says where it is. */
  readonly make: () => string;
  readonly work: string;
  /** What the commit has otherwise than its base. */
  readonly changed: readonly string[];
  /** What a program finds in the sandbox before, and what it prints. */
  readonly sees: readonly [script: string, output: string];
}

const withFilter = (): string => {
  const project = makeProject({ '.gitattributes': '*.bin filter=lfs\n', 'a.bin': 'version lfs\noid 1\n', b: 'b\n' });
  const ran = join(temporaryFolder(), 'ran');
  project.git('config', 'filter.lfs.clean', `touch ${ran}; cat`);
  project.git('config', 'filter.lfs.smudge', `touch ${ran}; exit 1`);
  project.git('config', 'filter.lfs.required', 'true');
  writeFiles(project.folder, { '.git/hooks/post-checkout': { script: `#!/bin/sh\ntouch ${ran}\n` } });
  writeFiles(project.folder, { '.git/hooks/pre-commit': { script: `#!/bin/sh\nexit 1\n` } });
  return project.folder;
};

const withSubmodule = (): string => {
  const inner = makeProject({ in: 'inner\n' });
  const project = makeProject({ b: 'b\n' });
  project.git('submodule', '--quiet', 'add', inner.folder, 'sub');
  project.commit({});
  return project.folder;
};

const REPOSITORIES: Readonly<Record<string, Odd>> = {
  'a shallow clone': {
    make: () => {
      const origin = makeProject({ b: '1\n' });
      origin.commit({ b: '2\n' });
      const folder = join(temporaryFolder(), 'shallow');
      gitIn(origin.folder, 'clone', '--quiet', '--depth=1', `file://${origin.folder}`, folder);
      return folder;
    },
    work: 'echo more >> b',
    changed: ['M\tb'],
    sees: ['cat b; git log --format=%s', '2\nchange\n'],
  },
  'a sparse checkout': {
    make: () => {
      const project = makeProject({ 'in/a': 'a\n', 'out/b': 'b\n' });
      project.git('sparse-checkout', 'set', 'in');
      return project.folder;
    },
    work: 'echo more >> out/b; rm in/a',
    changed: ['D\tin/a', 'M\tout/b'],
    sees: ['cat in/a out/b', 'a\nb\n'],
  },
  'a bare repository': {
    make: () => {
      const folder = join(temporaryFolder(), 'bare.git');
      gitIn(makeProject({ b: 'b\n' }).folder, 'clone', '--quiet', '--bare', '.', folder);
      return folder;
    },
    work: 'echo new > c',
    changed: ['A\tc'],
    sees: ['cat b', 'b\n'],
  },
  'a linked worktree': {
    make: () => {
      const project = makeProject({ b: 'b\n' });
      const linked = join(temporaryFolder(), 'linked');
      project.git('worktree', 'add', '--quiet', '-b', 'side', linked);
      return linked;
    },
    work: 'echo new > c',
    changed: ['A\tc'],
    sees: ['cat b', 'b\n'],
  },
  'filters and hooks': {
    make: withFilter,
    work: 'printf "version lfs\\noid 2\\n" > a.bin; echo more >> b',
    changed: ['M\ta.bin', 'M\tb'],
    sees: ['cat a.bin', 'version lfs\noid 1\n'],
  },
  'a submodule': {
    make: withSubmodule,
    work: 'echo more >> b',
    changed: ['M\tb'],
    sees: ['ls -A sub; cat b', 'b\n'],
  },
  'a submodule that goes': {
    make: withSubmodule,
    work: 'git rm --quiet --cached sub; rm -r sub .gitmodules',
    changed: ['D\t.gitmodules', 'D\tsub'],
    sees: ['ls -A sub', ''],
  },
  'line ends of another system': {
    make: () => {
      const project = makeProject({ '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': 'one\ntwo\n', b: 'x\r\n' });
      return project.folder;
    },
    work: 'printf "three\\r\\n" >> a.txt',
    changed: ['M\ta.txt'],
    sees: ['cat a.txt b', 'one\r\ntwo\r\nx\r\n'],
  },
  'names that differ in case alone': {
    make: () => makeProject({ 'Read.me': 'one\n', 'src/File': 'f\n' }).folder,
    work: 'git mv Read.me read.me; mv src/File src/file; echo other > src/File',
    changed: ['A\tread.me', 'A\tsrc/file', 'D\tRead.me', 'M\tsrc/File'],
    sees: ['cat Read.me', 'one\n'],
  },
  'names that are no text': {
    make: () => makeProject({ b: 'b\n' }).folder,
    work: 'echo 1 > "$(printf "bad\\377")"; mkdir "$(printf "d\\376")"; echo 2 > "$(printf "d\\376/in")"',
    changed: ['A\tbad\uFFFD', 'A\td\uFFFD/in'],
    sees: ['cat b', 'b\n'],
  },
  'links, programs and odd names': {
    make: () =>
      makeProject({
        'a "b"\t\n': 'odd\n',
        '-x': 'dash\n',
        'ü/é': 'é\n',
        run: { script: '#!/bin/sh\n' },
        to: { link: 'ü/é' },
      }).folder,
    work: 'chmod -x run; ln -sfn -- ./-x to; rm "a \\"b\\""*; mv ü u',
    changed: ['A\tu/é', 'D\ta "b"\t\n', 'D\tü/é', 'M\trun', 'M\tto'],
    sees: ['cat -- -x to; test -x run', 'dash\né\n'],
  },
};

async function openIn(project: string, way: Way, more: { readonly setup?: string } = {}) {
  const home = join(temporaryFolder(), 'home');
  const opened = await openRepository({ home, project, repairs: true });
  if (opened.type === 'refused') throw new Error(opened.failure.code);
  const { settings, probe } = wayOf(way);
  const plain = { ...PLAIN, setup: undefined, ...settings, ...more };
  const options = { home, isolation: NO_ISOLATION, network: 'none', agent: undefined, probe } as const;
  const made = await openSandboxes({ ...options, repository: opened.repository, settings: plain });
  if (made.type === 'refused') throw new Error(made.failure.code);
  return { repository: opened.repository, sandboxes: made.sandboxes };
}

const inside = (
  { wrap, folder, environment }: Pick<Sandbox, 'wrap' | 'folder' | 'environment'>,
  script: string,
): string => {
  const [program = '', ...args] = wrap(['sh', '-ec', script]);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', ...environment };
  return execFileSync(program, args, { cwd: folder, env, encoding: 'utf8' });
};

const must = <Outcome extends { readonly type: string }, Type extends Outcome['type']>(
  outcome: Outcome,
  type: Type,
): Extract<Outcome, { type: Type }> => {
  if (outcome.type !== type) throw new Error(JSON.stringify(outcome));
  // The type was looked at just now.
  return outcome as Extract<Outcome, { type: Type }>;
};

describe.each(WAYS)('in sandboxes of the kind %s', async (way) => {
  skipUnless(await needOf(way));
  test.each(Object.entries(REPOSITORIES))('%s is worked on, merged and left as it was', async (_, odd) => {
    const project = odd.make();
    const before = fingerprintOf(project);
    const { repository, sandboxes } = await openIn(project, way);
    const base = (await repository.baseOf('HEAD')) ?? '';
    const { sandbox } = must(await sandboxes.open({ run: 'r', task: 't', base, from: undefined, at: AT }), 'opened');
    expect(inside(sandbox, 'git status --porcelain')).toBe('');
    expect(inside(sandbox, odd.sees[0])).toBe(odd.sees[1]);
    inside(sandbox, odd.work);
    const ref = 'refs/heddle/r/checkpoints/t/main/1';
    const { commit } = must(await sandbox.checkpoint({ message: 'Work\n', at: AT, ref }), 'committed');
    const told = gitIn(repository.gitDir, 'diff-tree', '-r', '-z', '--name-status', '--no-renames', base, commit);
    const parts = told.split('\0').slice(0, -1);
    const changed = parts.flatMap((part, index) => (index % 2 === 0 ? [`${part}\t${parts[index + 1] ?? ''}`] : []));
    expect(changed.sort()).toEqual(odd.changed.toSorted());
    expect(inside(sandbox, 'git status --porcelain')).toBe('');
    const { candidate } = must(await sandboxes.candidate({ commit, name: 'k' }), 'opened');
    expect(inside(candidate, 'git status --porcelain')).toBe('');
    must(await candidate.destroy(), 'destroyed');
    expect(await sandbox.destroy()).toEqual({ type: 'destroyed', salvaged: [] });
    expect(gitIn(repository.gitDir, 'fsck', '--no-dangling')).toBe('');
    expect(fingerprintOf(project)).toBe(before);
  });

  test('a file put into the folder of a submodule is refused, and kept', async () => {
    const { repository, sandboxes } = await openIn(withSubmodule(), way);
    const base = (await repository.baseOf('HEAD')) ?? '';
    const options = { run: 'r', task: 't', base, from: undefined, at: AT };
    const { sandbox } = must(await sandboxes.open(options), 'opened');
    inside(sandbox, 'echo precious > sub/file; echo more >> b');
    const ref = 'refs/heddle/r/checkpoints/t/main/1';
    const failed = must(await sandbox.checkpoint({ message: 'Work\n', at: AT, ref }), 'failed');
    expect(failed.failure).toMatchObject({ code: 'not-committable', path: 'sub/file', why: 'submodule' });
    must(await sandbox.destroy(), 'kept');
    const again = must(await sandboxes.open(options), 'opened').sandbox;
    inside(again, 'rm sub/file');
    must(await again.checkpoint({ message: 'Work\n', at: AT, ref }), 'committed');
  });

  test('what set-up fetches of a submodule is there in every sandbox, and nothing that another left there', async () => {
    const project = withSubmodule();
    writeFiles(project, { '.gitignore': '*.log\n' });
    gitIn(project, 'add', '.gitignore');
    gitIn(project, 'commit', '--quiet', '--message=ignore');
    const setup = 'git -c protocol.file.allow=always submodule --quiet update --init';
    const { repository, sandboxes } = await openIn(project, way, { setup });
    const base = (await repository.baseOf('HEAD')) ?? '';
    for (const task of ['one', 'two']) {
      const { sandbox } = must(await sandboxes.open({ run: 'r', task, base, from: undefined, at: AT }), 'opened');
      expect(inside(sandbox, 'ls -A sub; cat sub/in; git status --porcelain')).toBe('in\ninner\n');
      inside(sandbox, 'echo secret > sub/x.log; echo more >> b');
      const ref = `refs/heddle/r/checkpoints/${task}/main/1`;
      const { commit } = must(await sandbox.checkpoint({ message: 'Work\n', at: AT, ref }), 'committed');
      expect(gitIn(repository.gitDir, 'diff-tree', '-r', '--name-only', base, commit)).toBe('b');
      must(await sandbox.destroy(), 'destroyed');
    }
  });
});
