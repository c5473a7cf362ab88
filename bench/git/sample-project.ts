// A repository to measure sandboxes on: generated, or a clone of one that is given, with a commit that differs from
// another in a few files.
import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface Project {
  readonly name: string;
  readonly root: string;
  readonly folder: string;
  readonly files: number;
  /** Tracked paths without anything odd, in the order of the index. */
  readonly paths: readonly string[];
  readonly base: string;
  /** Differs from the base in ten files. */
  readonly next: string;
}

const IDENTITY = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0'];
const OUTPUT_MAX = 2 ** 28;

export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', [...IDENTITY, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: OUTPUT_MAX,
  }).trim();

export const gitAtOnce = async (cwd: string, ...args: readonly string[]): Promise<void> => {
  await promisify(execFile)('git', [...IDENTITY, ...args], { cwd, maxBuffer: OUTPUT_MAX });
};

/** Two files to a folder, as large repositories have them. */
const fileName = (index: number): string =>
  join('packages', `p${index % 100}`, 'src', `m${Math.floor(index / 2)}`, `file${index}.ts`);

export function generatedProject(files: number): Project {
  const { root, folder } = makeRoot();
  mkdirSync(folder);
  git(folder, 'init', '-q', '-b', 'main');
  for (let index = 0; index < files; index += 1) {
    const file = join(folder, fileName(index));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `// ${index}\n${'export const value = 1;\n'.repeat(5 + (index % 100))}`);
  }
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'base');
  git(folder, 'repack', '-adq');
  return withNext(`${files} files`, { root, folder });
}

export function givenProject(repository: string): Project {
  const { root, folder } = makeRoot();
  git(root, 'clone', '-q', '--shared', realpathSync(repository), folder);
  return withNext(repository, { root, folder });
}

function makeRoot(): { readonly root: string; readonly folder: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-bench-sandbox-')));
  return { root, folder: join(root, 'project') };
}

const CHANGED = 10;

function withNext(name: string, { root, folder }: { readonly root: string; readonly folder: string }): Project {
  const base = git(folder, 'rev-parse', 'HEAD');
  const listed = git(folder, 'ls-files', '-s', '-z').split('\0');
  const paths = listed.filter((line) => line.startsWith('100644')).map((line) => line.slice(line.indexOf('\t') + 1));
  const step = Math.max(1, Math.floor(paths.length / CHANGED));
  const chosen = paths.filter((_, index) => index % step === 0).slice(0, CHANGED);
  for (const path of chosen) appendFileSync(join(folder, path), '// changed\n');
  git(folder, 'commit', '-qam', 'next');
  return { name, root, folder, files: listed.length, paths, base, next: git(folder, 'rev-parse', 'HEAD') };
}

export async function removeProject({ root }: Project): Promise<void> {
  rmSync(root, { recursive: true, force: true });
}
