// Creates the bare repository in Heddle's home, and updates its links to the objects of the user's repository.
//
// integration-repository/I1. It exists whole or not at all: it is built under another name and renamed.
// integration-repository/I2. Opening it again only follows changes of the user's repository: the object folders, and
//     the end of a shallow history.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeOwnersFolder } from '../../exec/owners-folder.ts';
import { gitEnvironmentFor } from '../run/git-environment.ts';
import { GitError } from '../run/git-error.ts';
import { runGit } from '../run/git.ts';
import { asideOf } from './leftovers.ts';

export interface Borrowed {
  readonly home: string;
  readonly objectFormat: string;
  /** The user's object folder; its own alternates are followed by git. */
  readonly objectFolder: string;
  /** The user's `shallow` file, when there is one. */
  readonly shallow: string | undefined;
}

const REPOSITORY_FOLDER = 'repo.git';

/** Returns the git directory. */
export async function makeIntegrationRepository(borrowed: Borrowed): Promise<string> {
  const gitDir = join(borrowed.home, REPOSITORY_FOLDER);
  await makeBareRepository({ ...borrowed, gitDir });
  await keepInStep(gitDir, borrowed);
  return gitDir;
}

export interface BareRepositoryOptions {
  readonly home: string;
  readonly gitDir: string;
  readonly objectFormat: string;
}

/** A bare repository of ours; an existing one is left as it is. */
export async function makeBareRepository(options: BareRepositoryOptions): Promise<void> {
  if (!existsSync(options.gitDir)) await build(options);
}

async function build({ home, gitDir, objectFormat }: BareRepositoryOptions): Promise<void> {
  makeOwnersFolder(home);
  const aside = asideOf(gitDir);
  const init = [
    'init',
    '--quiet',
    '--bare',
    '--template=',
    `--object-format=${objectFormat}`,
    '--initial-branch=none',
    aside,
  ];
  const { code, stderr } = await runGit(init, { cwd: home, environment: gitEnvironmentFor('ours') });
  if (code !== 0) throw new GitError({ code: 'repository-not-made', folder: aside, cause: stderr.trim() });
  const config = join(aside, 'config');
  await writeFile(config, `${await readFile(config, 'utf8')}${CONFIG}`, { flush: true });
  await mkdir(join(aside, 'objects', 'info'), { recursive: true });
  await putInPlace(aside, gitDir);
}

const CONFIG = `[gc]
\tauto = 0
[maintenance]
\tauto = false
[receive]
\tautogc = false
[uploadpack]
\tallowAnySHA1InWant = true
`;

/** Several processes may create it at once; the first rename wins. */
async function putInPlace(aside: string, gitDir: string): Promise<void> {
  try {
    await rename(aside, gitDir);
  } catch (cause) {
    await rm(aside, { recursive: true, force: true });
    if (!existsSync(gitDir)) throw new GitError({ code: 'repository-not-made', folder: gitDir, cause: String(cause) });
  }
}

async function keepInStep(gitDir: string, { objectFolder, shallow }: Borrowed): Promise<void> {
  await writeWhenDifferent(join(gitDir, 'objects', 'info', 'alternates'), alternates([objectFolder]));
  const file = join(gitDir, 'shallow');
  if (shallow !== undefined) await writeWhenDifferent(file, await readFile(shallow, 'utf8'));
  else if (existsSync(file)) await rm(file, { force: true });
}

/** Whole or not at all, because other processes read the file meanwhile. */
async function writeWhenDifferent(file: string, text: string): Promise<void> {
  const present = existsSync(file) ? await readFile(file, 'utf8') : undefined;
  if (present === text) return;
  const aside = asideOf(file);
  await writeFile(aside, text, { flush: true });
  await rename(aside, file);
}

/** The text of `objects/info/alternates`; a path that git would misread is quoted as git quotes. */
export const alternates = (folders: readonly string[]): string =>
  folders.map((folder) => `${quoted(folder)}\n`).join('');

const quoted = (path: string): string =>
  /^["#]|[\n\\]/.test(path)
    ? `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
    : path;
