// A project whose one task is a hostile program, with a home folder that has secrets, and folders outside in which it is to
// leave no trace.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { fingerprintOf } from '../git-project.given.ts';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';
import type { Project } from '../world/project.given.ts';

export const SECRET = 'the-secret-of-the-user';

export interface Prison extends Project {
  /** The user's home folder. */
  readonly userHome: string;
  /** Whatever appears here has escaped. */
  readonly outside: string;
  readonly git: (...words: readonly string[]) => string;
  /** What is the user's in the repository, besides objects. */
  readonly fingerprint: () => readonly string[];
  readonly traces: () => readonly string[];
  /** What a task printed. */
  readonly said: (task: string) => Promise<string>;
}

export interface PrisonOptions {
  /** What the plan says of sandboxes, the isolation included. */
  readonly sandbox: string;
  /** The rest of the plan. */
  readonly tasks: string;
  /** Files of the repository besides. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

const folders: string[] = [];

/** To be called once in a file of tests. */
export function endPrisonsAfterEach(): void {
  // Told first, so that it comes last.
  endProjectsAfterEach();
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
}

export function givenPrison({ sandbox, tasks, files = {}, env = {} }: PrisonOptions): Prison {
  const beside = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-hostile-')));
  const userHome = join(beside, 'home');
  const outside = join(beside, 'outside');
  mkdirSync(outside);
  write(userHome, { '.ssh/id_ed25519': SECRET, '.aws/credentials': SECRET, '.claude/.credentials.json': SECRET });
  const plan = `heddle: 1\nname: world\nmax_parallel: 4\nattempts: 1\nsandbox: { ${sandbox} }\n${tasks}`;
  const project = givenProject(plan, { HOME: userHome, OUTSIDE: outside, USER_HOME: userHome, ...env });
  folders.push(beside);
  const { folder } = project;
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'someone');
  git('config', 'user.email', 'someone@localhost');
  write(folder, { 'src/one.txt': 'one\n', '.gitignore': 'node_modules\n', ...files });
  git('add', '.');
  git('commit', '-qm', 'start');
  return {
    ...project,
    userHome,
    outside,
    git,
    fingerprint: () => [fingerprintOf(join(folder, '.git', 'hooks')), ...USERS.map((name) => read(join(folder, name)))],
    traces: () => readdirSync(outside),
    said: async (task) => (await project.heddle('logs', task)).out,
  };
}

const USERS = ['HEAD', 'config', 'index', 'refs/heads/main', 'packed-refs', 'objects/info/alternates'].map(
  (name) => `.git/${name}`,
);

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'latin1') : '');

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** For a shell: says of each attempt whether it was held or escaped. */
export const ATTEMPT = `attempt() { name=$1; shift; if ( "$@" ) > /dev/null 2>&1; then echo "ESCAPED: $name"; else echo "held: $name"; fi; }
`;
