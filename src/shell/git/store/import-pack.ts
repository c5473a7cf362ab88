// Brings one small commit out of a sandbox as a pack that was written inside: what a fetch does, with three programs
// instead of ten. What is not plain and small is left to the fetch.
//
// import-pack/K1. Nothing of the sandbox is read here but the pack. Every object in it, and that all it names is there,
//     is checked before it is kept, as a fetch with `transfer.fsckObjects` checks it.
// import-pack/K2. The target moves only when all of it was found harmless, and only when it did not exist (P4).
import { readFile, stat } from 'node:fs/promises';
import type { Git } from '../run/git.ts';
import type { Objects } from './objects.ts';
import { DURABLE, swapRef } from './refs.ts';
import { unsafeContentIn } from './unsafe-content.ts';
import type { Imported } from './import-from.ts';

export interface PackRequest {
  /** The file that was written inside. */
  readonly pack: string;
  /** What whoever wrote it says is in it. */
  readonly commit: string;
  /** What the work started from: what it adds to this is looked at. */
  readonly base: string;
  readonly target: string;
}

/** More than this is kept as a pack, which a fetch does. */
const OBJECTS_MAX = 100;
const BYTES_MAX = 16 * 1024 * 1024;
const COUNT_OFFSET = 8;
const ID = /^[\da-f]{40}(?:[\da-f]{24})?$/;

/** Undefined when it is not for this way, or something is wrong with it, of which the fetch has to say what. */
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
  if (harm !== undefined) return { type: 'refused', message: harm };
  const swapped = await swapRef(git, { ref: target, from: undefined, to: commit });
  return swapped.type === 'swapped' ? { type: 'imported', commits: [commit] } : undefined;
}

/** Undefined when it is not there or too large. */
async function smallPack(pack: string): Promise<Buffer | undefined> {
  const found = await stat(pack).catch(() => undefined);
  if (found === undefined || !found.isFile() || found.size > BYTES_MAX) return undefined;
  const content = await readFile(pack);
  const isSmall = content.length > COUNT_OFFSET + 4 && content.readUInt32BE(COUNT_OFFSET) <= OBJECTS_MAX;
  return isSmall ? content : undefined;
}
