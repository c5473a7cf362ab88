// A repository to measure merges on: generated, or a clone of one that is given, with branches that each change a few
// files of it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chance } from '../../src/core/schedule/chance.ts';

export interface BenchRepository {
  readonly name: string;
  readonly files: number;
  readonly folder: string;
  /** For Heddle's own files. */
  readonly home: string;
  readonly base: string;
  readonly tips: readonly string[];
  readonly git: (...args: readonly string[]) => string;
  readonly remove: () => void;
}

export interface MergeRepositoryOptions {
  /** A repository to clone; without it one is generated. */
  readonly repository: string | undefined;
  readonly files: number;
  readonly branches: number;
  readonly changesOfBranch: number;
}

const LINES_OF_FILE = 60;
const FILES_OF_FOLDER = 12;
const FOLDERS_OF_FOLDER = 10;
/** So many of a branch's changes are in files that all branches may change, at a place of its own. */
const SHARED_FILES = 200;

export function benchRepository({
  repository,
  files,
  branches,
  changesOfBranch,
}: MergeRepositoryOptions): BenchRepository {
  const root = mkdtempSync(join(tmpdir(), 'heddle-bench-git-'));
  const folder = join(root, 'project');
  const git = gitIn(folder);
  if (repository === undefined) {
    mkdirSync(folder);
    git('init', '--quiet', '--initial-branch=main');
    generate(folder, files);
  } else {
    gitIn(root)('clone', '--quiet', '--shared', '--no-checkout', repository, folder);
  }
  const base = git('rev-parse', repository === undefined ? 'main' : 'HEAD');
  const paths = git('ls-tree', '-r', '-z', base)
    .split('\0')
    .filter((line) => line.startsWith('100'))
    .map((line) => line.slice(line.indexOf('\t') + 1));
  const tips = branchOff(folder, { base, paths, branches, changesOfBranch });
  return {
    name: repository ?? 'generated',
    files: paths.length,
    folder,
    home: join(root, 'home'),
    base,
    tips,
    git,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

const gitIn =
  (folder: string) =>
  (...args: readonly string[]): string =>
    run(folder, args);

function run(folder: string, args: readonly string[], input?: string): string {
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0'];
  return execFileSync('git', [...identity, ...args], {
    cwd: folder,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
    input: input ?? '',
    maxBuffer: 2 ** 30,
  }).replace(/\n$/, '');
}

function generate(folder: string, files: number): void {
  const parts = ['commit refs/heads/main\n', COMMITTER, 'data 4\nbase\n'];
  for (let file = 0; file < files; file += 1) parts.push(fileChange(pathOf(file), linesOf(file)));
  run(folder, ['fast-import', '--quiet'], parts.join(''));
}

const COMMITTER = 'committer Bench <bench@localhost> 1700000000 +0000\n';

function pathOf(file: number): string {
  const inner = Math.floor(file / FILES_OF_FOLDER);
  const middle = Math.floor(inner / FOLDERS_OF_FOLDER);
  const outer = Math.floor(middle / FOLDERS_OF_FOLDER);
  return `packages/part-${outer}/module-${middle}/folder-${inner}/file-${file}.ts`;
}

const linesOf = (file: number): readonly string[] =>
  Array.from({ length: LINES_OF_FILE }, (_, line) => `export const value${line} = ${file} * ${line};`);

function fileChange(path: string, lines: readonly string[]): string {
  const text = `${lines.join('\n')}\n`;
  return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}`;
}

interface Branches {
  readonly base: string;
  readonly paths: readonly string[];
  readonly branches: number;
  readonly changesOfBranch: number;
}

/** A line is added at the end of some files of a branch's own, and one in the middle of a file that others change. */
function branchOff(folder: string, { base, paths, branches, changesOfBranch }: Branches): readonly string[] {
  const random = chance(7);
  const own = Math.floor(paths.length / branches);
  return Array.from({ length: branches }, (_, branch) => {
    const chosen = new Set<string>();
    while (chosen.size < Math.min(changesOfBranch, own)) chosen.add(paths[branch * own + random.below(own)] ?? '');
    const shared = paths[random.below(Math.min(SHARED_FILES, paths.length))] ?? '';
    const name = `refs/heads/bench-${branch}`;
    const parts = [`commit ${name}\n`, COMMITTER, `data 6\nchange\nfrom ${base}\n`];
    for (const path of [...chosen, shared].filter((one) => !/["\n]/.test(one))) {
      const text = run(folder, ['cat-file', 'blob', `${base}:${path}`]);
      parts.push(fileChange(path, [...text.split('\n'), `// branch ${branch}`]));
    }
    run(folder, ['fast-import', '--quiet', '--force'], parts.join(''));
    return run(folder, ['rev-parse', name]);
  });
}
