// What a layer is made from: the plan's words, files of the user's checkout, and the lock files of the commit.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxFailure } from '../../../core/protocol/sandbox-failure.ts';
import { gitAt, partsOf } from '../../git/run/git.ts';
import { GITLINK } from '../../git/store/changed-path.ts';
import type { SandboxContext } from './sandbox-context.ts';

export interface LayerInputs {
  /** A safe name for a file. */
  readonly key: string;
  /** Paths in the user's checkout to bring along. */
  readonly included: readonly string[];
}

/** Lists patterns of files to bring along, in the form of an ignore file; a file of the project's, not of ours. */
const INCLUDE_FILE = '.worktreeinclude';

/** Files that say exactly what set-up installs. */
const LOCK_FILES = new Set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock Cargo.lock go.sum
   Gemfile.lock poetry.lock uv.lock pdm.lock Pipfile.lock requirements.txt composer.lock mix.lock pubspec.lock
   Package.resolved packages.lock.json gradle.lockfile flake.lock conan.lock`.split(/\s+/),
);

/** Undefined where the files are, or none are asked for. */
export const missingFiles = ({ settings: { include }, untracked }: SandboxContext): SandboxFailure | undefined =>
  include.length === 0 || existsSync(untracked)
    ? undefined
    : { code: 'files-missing', include: include.join(', '), folder: untracked };

/** Undefined when sandboxes have nothing but the repository's files. */
export async function layerInputs(context: SandboxContext, tree: string): Promise<LayerInputs | undefined> {
  const { setup, link } = context.settings;
  const brought = await includedPaths(context);
  // What another branch of the user's has as an ignored file, this commit may track.
  const tracked = new Set(await trackedPaths(context, brought, tree));
  const included = brought.filter((path) => !tracked.has(path));
  if (setup === undefined && link.length === 0 && included.length === 0) return undefined;
  const hash = createHash('sha256');
  hash.update(JSON.stringify({ setup, link, included }));
  for (const path of included) hash.update(digestOf(join(context.untracked, path)));
  if (setup !== undefined) hash.update(JSON.stringify(await setupInputs(context, tree)));
  return { key: hash.digest('hex').slice(0, 24), included };
}

/** Without a lock file nobody knows what set-up reads, so it may read everything. */
async function setupInputs(context: SandboxContext, tree: string): Promise<readonly string[]> {
  const listed = partsOf(await gitAt(context.repository.gitDir).must(['ls-tree', '-r', '-z', tree]));
  const locks = listed.filter((line) => LOCK_FILES.has(line.slice(line.lastIndexOf('/') + 1).replace(/^.*\t/, '')));
  // Set-up may fetch submodules.
  return locks.length === 0 ? [tree] : [...locks, ...listed.filter((line) => line.startsWith(GITLINK))];
}

async function includedPaths(context: SandboxContext): Promise<readonly string[]> {
  const { untracked: workTree, repository } = context;
  if (!existsSync(workTree)) return [];
  const { gitDir } = repository.user;
  const file = join(workTree, INCLUDE_FILE);
  const patterns = [
    ...context.settings.include.map((pattern) => `--exclude=${pattern}`),
    ...(existsSync(file) ? [`--exclude-from=${file}`] : []),
  ];
  if (patterns.length === 0) return [];
  const args = ['ls-files', '--others', '--ignored', '-z', ...patterns];
  const paths = partsOf(await gitAt(gitDir).must(args, { workTree }));
  return paths.filter((path) => !path.startsWith('.heddle/'));
}

/** More paths than fit on a command line are asked about in turns. */
const PATHS_AT_ONCE = 500;

/** Those of the paths that a tree has. */
export async function trackedPaths(
  context: SandboxContext,
  paths: readonly string[],
  tree: string,
): Promise<readonly string[]> {
  const tracked: string[] = [];
  for (let from = 0; from < paths.length; from += PATHS_AT_ONCE) {
    const some = paths.slice(from, from + PATHS_AT_ONCE).map((path) => path.replace(/\/$/, ''));
    const args = ['ls-tree', '-z', '--name-only', tree, '--', ...some];
    tracked.push(...partsOf(await gitAt(context.repository.gitDir).must(args)));
  }
  return tracked;
}

function digestOf(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) return `link ${readlinkSync(file)}`;
  if (found?.isFile() !== true) return 'nothing';
  const content = createHash('sha256').update(readFileSync(file)).digest('hex');
  return `${(found.mode & 0o111) === 0 ? 'file' : 'program'} ${content}`;
}
