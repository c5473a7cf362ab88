// Brings a conversation from the home of one sandbox to that of another. Under isolation each sandbox has a home of its own,
// and programs keep a conversation there in files that carry its id.
import { cp, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { PlacePaths } from './tree/place-paths.ts';

/** More files than this are not looked through: the turn then begins a conversation of its own. */
const FILES_MAX = 20_000;
/** An id shorter than this could be part of any name. */
const ID_LENGTH_MIN = 8;

export async function bringConversation(from: PlacePaths, to: PlacePaths, id: string): Promise<void> {
  if (id.length < ID_LENGTH_MIN || !/^[\w.-]+$/.test(id)) return;
  for (const file of await filesNamed(from.homes, id)) {
    const there = join(to.homes, relative(from.homes, file));
    await mkdir(dirname(there), { recursive: true });
    // Links are not followed: what is inside a home was written by programs of the sandbox.
    await cp(file, there, { force: false, errorOnExist: false, dereference: false });
  }
}

async function filesNamed(folder: string, id: string): Promise<readonly string[]> {
  const found: string[] = [];
  const open = [folder];
  let seen = 0;
  for (let next = open.pop(); next !== undefined && seen < FILES_MAX; next = open.pop()) {
    // A sandbox without isolation has no home of its own.
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      seen += 1;
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile() && entry.name.includes(id)) found.push(path);
    }
  }
  return found;
}
