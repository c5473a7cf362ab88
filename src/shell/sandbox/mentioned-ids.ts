// Reads, as text, every id that the git directories of a sandbox mention. Where they mention none but known ones, nobody
// has committed there, and no program has to be started to find that out.
import { constants, lstatSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Beyond so much nobody looks; such a git directory is read by git itself. */
const FILES_MAX = 200;
const BYTES_MAX = 256 * 1024;

/** Undefined when there is more than can be looked through. Links are not followed, wherever they lead. */
export async function mentionedIds(gitDirs: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  const files = await Promise.all(gitDirs.map(filesWithIds));
  const all = files.flat();
  if (all.length > FILES_MAX) return undefined;
  const ids = new Set<string>();
  for (const file of all) {
    const text = await readPlain(file);
    if (text === undefined) return undefined;
    for (const [id] of text.matchAll(/[0-9a-f]{40,64}/g)) if (!/^0+$/.test(id)) ids.add(id);
  }
  return ids;
}

async function filesWithIds(gitDir: string): Promise<readonly string[]> {
  const top = await readdir(gitDir, { withFileTypes: true });
  const named = top.filter((entry) => entry.isFile() && /HEAD$|^packed-refs$/.test(entry.name));
  const nested = top.filter((entry) => entry.isDirectory() && /^(?:refs|logs|rebase|heddle-own)/.test(entry.name));
  const lists = await Promise.all(
    nested.map((entry) => readdir(join(gitDir, entry.name), { recursive: true, withFileTypes: true })),
  );
  return [...named, ...lists.flat().filter((entry) => entry.isFile())].map(({ parentPath, name }) =>
    join(parentPath, name),
  );
}

/** Undefined for what is too long, or no plain file after all. */
async function readPlain(file: string): Promise<string | undefined> {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > BYTES_MAX) return undefined;
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
