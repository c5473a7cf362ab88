// Describes the user's repository without writing to it and without running a program that it names.
import { refusedBy, type GitRefused } from '../run/git-error.ts';
import type { GitFailure } from '../../../core/protocol/git-failure.ts';
import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Author } from '../../../core/engine/event.ts';
import { gitEnvironmentFor, settingsFor } from '../run/git-environment.ts';
import { gitAt, runGit, partsOf, type Git } from '../run/git.ts';

export interface UserRepository {
  readonly type: 'repository';
  /** The top of the checkout; undefined for a bare repository. */
  readonly workTree: string | undefined;
  readonly gitDir: string;
  /** The git directory that all linked worktrees share. */
  readonly commonDir: string;
  /** The object folder and its alternates, transitively. */
  readonly objectFolders: readonly string[];
  readonly objectFormat: string;
  readonly isLinkedWorktree: boolean;
  readonly isShallow: boolean;
  readonly isSparse: boolean;
  /** The checked-out branch, without `refs/heads/`; undefined when HEAD is detached. */
  readonly branch: string | undefined;
  /** Undefined while there is no commit. */
  readonly head: string | undefined;
  /** The name and address that git puts on the user's commits; undefined where none are set. */
  readonly author: Author | undefined;
  readonly submodules: readonly string[];
  readonly usesLfs: boolean;
  /** Names of the configured filters. */
  readonly filters: readonly string[];
  readonly hooks: readonly string[];
  /** Settings that affect the content of a checkout, for every private git directory. */
  readonly checkoutSettings: readonly Setting[];
}

export type Described = UserRepository | GitRefused;

/** How deep git itself follows alternates. */
const BORROWED_DEPTH_MAX = 5;

const CHECKOUT_KEYS = new Set(
  'core.autocrlf core.eol core.filemode core.symlinks core.ignorecase core.precomposeunicode'.split(' '),
);

export async function describeUser(project: string): Promise<Described> {
  const found = await locate(project);
  if ('code' in found) return refusedBy(found);
  const git = gitAt(found.gitDir, 'users');
  const settings = await readSettings(git);
  if (isPartial(settings)) return refusedBy({ code: 'partial-clone', folder: project });
  return describe(git, found, settings);
}

interface Located {
  readonly gitDir: string;
  readonly commonDir: string;
  readonly objectFolder: string;
  readonly workTree: string | undefined;
  readonly isShallow: boolean;
  readonly objectFormat: string;
}

const ASKED = '--git-dir --git-common-dir --is-shallow-repository --show-object-format --is-bare-repository'.split(' ');

/** The first call uses the user's own settings, so that git decides whether it trusts the folder. */
async function locate(project: string): Promise<Located | GitFailure> {
  if (!existsSync(project)) return { code: 'project-missing', folder: project };
  // git writes one path a line into its own files.
  if (/[\n\r]/.test(realpathSync(project))) return { code: 'project-line-break', folder: project };
  const place = { cwd: project, environment: gitEnvironmentFor('users') };
  // The last question has no answer in a bare repository: git prints those before it, and fails.
  const args = ['rev-parse', '--path-format=absolute', ...ASKED, '--git-path', 'objects', '--show-toplevel'];
  const { code, output, stderr } = await runGit([...settingsFor('users'), ...args], place);
  // Limit: a path with a line break is misread. To support one, query each value alone.
  const [gitDir = '', commonDir = '', isShallow, objectFormat = 'sha1', isBare, objectFolder = '', top] = output
    .toString('utf8')
    .split('\n');
  if (code !== 0 && isBare !== 'true') return noRepository(project, stderr.trim());
  const workTree = isBare === 'true' ? undefined : top;
  return { gitDir, commonDir, objectFolder, workTree, isShallow: isShallow === 'true', objectFormat };
}

/** Git's exit code is the same for all of them, so its standard error decides. */
function noRepository(folder: string, stderr: string): GitFailure {
  if (/not a git repository/.test(stderr)) return { code: 'not-a-repository', folder };
  if (/dubious ownership/.test(stderr)) return { code: 'not-trusted', folder };
  return { code: 'repository-unreadable', folder, stderr };
}

const isPartial = (settings: readonly Setting[]): boolean =>
  settings.some(
    ({ key, value }) => key === 'extensions.partialclone' || (/^remote\..*\.promisor$/.test(key) && value !== 'false'),
  );

async function describe(git: Git, found: Located, settings: readonly Setting[]): Promise<UserRepository> {
  const [branch, head] = await Promise.all([git.ask(['symbolic-ref', '--quiet', 'HEAD']), readHead(git)]);
  const filters = settings.flatMap(({ key }) => /^filter\.(.*)\.(?:clean|smudge|process)$/.exec(key)?.[1] ?? []);
  return {
    type: 'repository',
    workTree: found.workTree,
    gitDir: found.gitDir,
    commonDir: found.commonDir,
    objectFolders: withBorrowed(found.objectFolder),
    objectFormat: found.objectFormat,
    isLinkedWorktree: found.gitDir !== found.commonDir,
    isShallow: found.isShallow,
    isSparse: settingOf(settings, 'core.sparsecheckout') === 'true',
    branch:
      branch.code === 0
        ? branch.output
            .toString('utf8')
            .trim()
            .replace(/^refs\/heads\//, '')
        : undefined,
    head: head.commit,
    author: authorIn(settings),
    submodules: [...head.modules.matchAll(/^\s*path\s*=\s*(.*?)\s*$/gm)].map(([, path]) => path ?? ''),
    usesLfs: /filter=lfs\b/.test(head.attributes),
    filters: [...new Set(filters)],
    hooks: hooksOf(settingOf(settings, 'core.hookspath'), found),
    checkoutSettings: settings.filter(({ key, value }) => CHECKOUT_KEYS.has(key) && /^[\w-]*$/.test(value)),
  };
}

/** As git chooses them: the environment first, then the settings. */
function authorIn(settings: readonly Setting[]): Author | undefined {
  const name = process.env['GIT_AUTHOR_NAME'] ?? settingOf(settings, 'author.name') ?? settingOf(settings, 'user.name');
  const email =
    process.env['GIT_AUTHOR_EMAIL'] ?? settingOf(settings, 'author.email') ?? settingOf(settings, 'user.email');
  return name === undefined || email === undefined ? undefined : { name, email };
}

interface Head {
  readonly commit: string | undefined;
  readonly modules: string;
  readonly attributes: string;
}

/** Limit: only attributes and submodules of the top folder are read. */
async function readHead(git: Git): Promise<Head> {
  const input = 'HEAD^{commit}\nHEAD:.gitmodules\nHEAD:.gitattributes\n';
  const output = await git.must(['cat-file', '--batch'], { input });
  const [commit, modules, attributes] = objectsOf(output);
  return { commit: commit?.id, modules: textOf(modules), attributes: textOf(attributes) };
}

interface BatchObject {
  readonly id: string;
  readonly type: string;
  readonly content: Buffer;
}

const textOf = (object: BatchObject | undefined): string =>
  object?.type === 'blob' ? object.content.toString('utf8') : '';

/** The answers of `cat-file --batch`, one for each name: a line with id, type and size before the content, or another line. */
function objectsOf(output: Buffer): readonly (BatchObject | undefined)[] {
  const objects: (BatchObject | undefined)[] = [];
  for (let at = 0; at < output.length;) {
    const lineEnd = output.indexOf('\n', at);
    const found = /^([0-9a-f]+) (\w+) (\d+)$/.exec(output.toString('utf8', at, lineEnd));
    at = lineEnd + 1;
    if (found === null) objects.push(undefined);
    else {
      const [, id = '', type = '', size] = found;
      objects.push({ id, type, content: output.subarray(at, at + Number(size)) });
      at += Number(size) + 1;
    }
  }
  return objects;
}

/** An object folder and its alternates, in git's order. */
function withBorrowed(folder: string, depth = 0): readonly string[] {
  const file = join(folder, 'info', 'alternates');
  if (depth >= BORROWED_DEPTH_MAX || !existsSync(file)) return [folder];
  const lines = readFileSync(file, 'utf8').split('\n');
  const borrowed = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const paths = borrowed.map((line) => resolve(folder, line));
  return [...new Set([folder, ...paths.flatMap((path) => withBorrowed(path, depth + 1))])];
}

function hooksOf(hooksPath: string | undefined, { commonDir, workTree }: Located): readonly string[] {
  const folder =
    hooksPath === undefined ? join(commonDir, 'hooks') : resolve(workTree ?? dirname(commonDir), hooksPath);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => !name.includes('.') && isExecutable(join(folder, name)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface Setting {
  /** Section and name in lower case. */
  readonly key: string;
  readonly value: string;
}

/** All effective settings, the stronger later, without Heddle's own overrides. */
async function readSettings(git: Git): Promise<readonly Setting[]> {
  const parts = partsOf(await git.must(['config', '--list', '-z', '--show-scope']));
  const settings: Setting[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    if (parts[index] !== 'command') settings.push(readSetting(parts[index + 1] ?? ''));
  }
  return settings;
}

/** A name without a value means true. */
function readSetting(part: string): Setting {
  const end = part.indexOf('\n');
  return end === -1 ? { key: part, value: 'true' } : { key: part.slice(0, end), value: part.slice(end + 1) };
}

const settingOf = (settings: readonly Setting[], key: string): string | undefined =>
  settings.findLast((setting) => setting.key === key)?.value;
