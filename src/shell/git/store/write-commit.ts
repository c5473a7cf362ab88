// Writes commit objects. Merging many branches makes one commit each, and starting git for it would cost as much as the
// merge itself; the format of a loose object is fixed, and the result is exactly the object that `git commit-tree`
// makes.
//
// write-commit/W1. An object appears whole or not at all: it is written under another name and renamed.
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Author } from '../../../core/engine/event.ts';
import { IDENTITY } from '../run/git-environment.ts';
import { GitError } from '../run/git-error.ts';
import { asideOf } from './leftovers.ts';

export interface CommitFields {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Milliseconds since the epoch; git keeps the whole seconds. */
  readonly at: number;
  /** Heddle itself where no person is named. */
  readonly author?: Author | undefined;
}

/** By the length of ids. */
const HASHES: ReadonlyMap<number, string> = new Map([
  [40, 'sha1'],
  [64, 'sha256'],
]);

/** Gives the commit's id; it is the same whenever all that is given is the same. */
export async function writeCommit(gitDir: string, request: CommitFields): Promise<string> {
  const text = Buffer.from(textOf(request));
  const object = Buffer.concat([Buffer.from(`commit ${text.length}\0`), text]);
  const hash = HASHES.get(request.tree.length);
  if (hash === undefined) throw new GitError({ code: 'not-a-tree', id: request.tree });
  const id = createHash(hash).update(object).digest('hex');
  const folder = join(gitDir, 'objects', id.slice(0, 2));
  const aside = asideOf(join(gitDir, 'objects', 'tmp_obj'));
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(aside, deflateSync(object), { mode: 0o444 });
    await rename(aside, join(folder, id.slice(2)));
  } catch (cause) {
    throw new GitError({ code: 'commit-not-written', folder, cause: String(cause) }, { cause });
  }
  return id;
}

function textOf({ tree, parents, message, at, author = IDENTITY }: CommitFields): string {
  const who = `${clean(author.name)} <${clean(author.email)}> ${Math.floor(at / 1000)} +0000`;
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`, `committer ${who}`];
  return `${lines.join('\n')}\n\n${message.replaceAll(CONTROLS, '').trimEnd()}\n`;
}

/** All but tabs and line feeds: messages have words of agents, which would steer the terminal that shows them. */
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/** Characters that git removes from a name, because they would end the field. */
const clean = (field: string): string => field.replaceAll(/[<>\n\0]/g, '').trim();
