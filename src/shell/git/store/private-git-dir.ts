// The private git directory of a sandbox: it borrows objects, and shares nothing that can be written.
//
// private-git-dir/D1. It exists whole or not at all: it is built under another name and renamed.
// private-git-dir/D2. It is not synced to the disk: it can be made again from a checkpoint.
import type { GitFailed } from '../run/git-error.ts';
import { constants, copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { IDENTITY } from '../run/git-environment.ts';
import { alternates } from './integration-repository.ts';
import { asideOf, removeLeftovers } from './leftovers.ts';

export interface PrivateGitDirRequest {
  /** Its path; an existing one is left as it is. */
  readonly folder: string;
  readonly head: string;
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** An index of exactly the tree that will be checked out, to be copied. */
  readonly index: string | undefined;
}

export type PrivateMade = { readonly type: 'made' | 'present' } | GitFailed;

export interface Lent {
  readonly objectFolders: readonly string[];
  readonly objectFormat: string;
  readonly settings: readonly { readonly key: string; readonly value: string }[];
  /** The `shallow` file, when there is one. */
  readonly shallow: string | undefined;
}

export async function makePrivateGitDir(lent: Lent, request: PrivateGitDirRequest): Promise<PrivateMade> {
  if (existsSync(request.folder)) return { type: 'present' };
  const aside = asideOf(request.folder);
  try {
    await removeLeftovers([dirname(request.folder)]);
    await build(aside, lent, request);
    renameSync(aside, request.folder);
    return { type: 'made' };
  } catch (cause) {
    await rm(aside, { recursive: true, force: true });
    if (existsSync(request.folder)) return { type: 'present' };
    return { type: 'failed', failure: { code: 'repository-not-made', folder: request.folder, cause: String(cause) } };
  }
}

/**
 * Small files are written synchronously, because waiting for each takes longer than writing it; only the index is
 * large.
 */
async function build(aside: string, lent: Lent, { head, branch, index }: PrivateGitDirRequest): Promise<void> {
  const ref = join(aside, 'refs', 'heads', branch);
  mkdirSync(join(aside, 'objects', 'info'), { recursive: true });
  mkdirSync(join(aside, 'objects', 'pack'));
  mkdirSync(join(aside, 'info'));
  mkdirSync(dirname(ref), { recursive: true });
  writeFileSync(join(aside, 'HEAD'), `ref: refs/heads/${branch}\n`);
  writeFileSync(ref, `${head}\n`);
  writeFileSync(join(aside, 'config'), configOf(lent));
  writeFileSync(join(aside, 'objects', 'info', 'alternates'), alternates(lent.objectFolders));
  if (lent.shallow !== undefined) copyFileSync(lent.shallow, join(aside, 'shallow'));
  if (index !== undefined) await copyFile(index, join(aside, 'index'), constants.COPYFILE_FICLONE);
}

function configOf({ objectFormat, settings }: Lent): string {
  const isPlain = objectFormat === 'sha1';
  const checkout = settings.map(({ key, value }) => `\t${key.replace(/^core\./, '')} = ${value}\n`).join('');
  return `[core]
\trepositoryformatversion = ${isPlain ? 0 : 1}
\tbare = false
\tlogallrefupdates = true
${checkout}${isPlain ? '' : `[extensions]\n\tobjectformat = ${objectFormat}\n`}[user]
\tname = ${IDENTITY.name}
\temail = ${IDENTITY.email}
[gc]
\tauto = 0
[maintenance]
\tauto = false
[commit]
\tgpgsign = false
`;
}
