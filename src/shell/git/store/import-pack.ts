// Imports one small commit from a sandbox as a pack that was written inside: the result of a fetch, with three
// processes instead of ten. Anything that is not plain and small is left to the fetch.
//
// import-pack/K1. Nothing of the sandbox is read here but the pack. Every object in it, and the presence of every
//     object that it names, is checked before it is kept, as a fetch with `transfer.fsckObjects` does.
// import-pack/K2. The target moves only when all content was found safe, and only when it did not exist (P4).
import { refusedBy } from '../run/git-error.ts';
import { readFile, stat } from 'node:fs/promises';
import type { Git } from '../run/git.ts';
import type { Objects } from './objects.ts';
import { DURABLE, swapRef } from './refs.ts';
import { unsafeContentIn } from './unsafe-content.ts';
import type { Imported } from './import-from.ts';

export interface PackRequest {
  /** The file that was written inside. */
  readonly pack: string;
  /** The commit that is claimed to be in it. */
  readonly commit: string;
  /** The commit that the work started from: only additions to it are examined. */
  readonly base: string;
  readonly target: string;
}

/** More objects than this are better kept as a pack, which a fetch does. */
const OBJECTS_MAX = 100;
const BYTES_MAX = 16 * 1024 * 1024;
const COUNT_OFFSET = 8;
const ID = /^[\da-f]{40}(?:[\da-f]{24})?$/;

/** Undefined when the pack is unsuitable or invalid; the fetch then reports the error. */
export async function importPack(
  { git, objects }: { readonly git: Git; readonly objects: Objects },
  { pack, commit, base, target }: PackRequest,
): Promise<Extract<Imported, { type: 'imported' | 'refused' }> | undefined> {
  const content = await smallPack(pack);
  if (content === undefined || !ID.test(commit)) return undefined;
  const settings = [...DURABLE, 'transfer.fsckObjects=true'];
  const unpacked = await git.ask(['unpack-objects', '-q', '--strict'], { input: content, settings });
  if (unpacked.code !== 0) return undefined;
  const harm = await unsafeContentIn(objects, base, `${commit}^{commit}`);
  if (harm !== undefined) return refusedBy(harm);
  const swapped = await swapRef(git, { ref: target, from: undefined, to: commit });
  return swapped.type === 'swapped' ? { type: 'imported', commits: [commit] } : undefined;
}

/** Undefined when the file is missing or too large. */
async function smallPack(pack: string): Promise<Buffer | undefined> {
  const found = await stat(pack).catch(() => undefined);
  if (found === undefined || !found.isFile() || found.size > BYTES_MAX) return undefined;
  const content = await readFile(pack);
  const isSmall = content.length > COUNT_OFFSET + 4 && content.readUInt32BE(COUNT_OFFSET) <= OBJECTS_MAX;
  return isSmall ? content : undefined;
}
