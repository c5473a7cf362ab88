// Folders that only their owner may read: prompts, answers, output and the trees of agents, which may contain a program
// with special permission bits, even where everyone may read the project's folder.
import { chmodSync, mkdirSync, statSync } from 'node:fs';

const OWNERS = 0o700;
const OF_OTHERS = 0o077;

/** Creates a missing folder. Closes an existing one to others, unless it belongs to another user. */
export function makeOwnersFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNERS });
  const { uid, mode } = statSync(folder);
  if (uid === process.getuid?.() && (mode & OF_OTHERS) !== 0) chmodSync(folder, OWNERS);
}
