// Brings a conversation from the home of one sandbox to that of another. Under isolation each sandbox has a home of its own,
// and programs keep a conversation there in files that carry its id.
import { cp, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { HEAD_BYTES, branchedFrom, ORIGINS_MAX } from './conversation-origin.ts';
import type { PlacePaths } from './tree/place-paths.ts';

/** More files than this are not looked through: the turn then begins a conversation of its own. */
const FILES_MAX = 20_000;
/** An id shorter than this could be part of any name. */
const ID_LENGTH_MIN = 8;

export async function bringConversation(from: PlacePaths, to: PlacePaths, id: string): Promise<void> {
  if (id.length < ID_LENGTH_MIN || !/^[\w.-]+$/.test(id)) return;
  const ids = new Set([id]);
  // A set is iterated in the order of insertion, with what is added meanwhile.
  for (const each of ids) {
    for (const file of await filesNamed(from.homes, each)) {
      const there = join(to.homes, relative(from.homes, file));
      await mkdir(dirname(there), { recursive: true });
      // Links are not followed: what is inside a home was written by programs of the sandbox.
      await cp(file, there, { force: false, errorOnExist: false, dereference: false });
      const origin = branchedFrom(await headOf(there));
      if (origin !== undefined && ids.size < ORIGINS_MAX) ids.add(origin);
    }
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
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
