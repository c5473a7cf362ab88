// Folders that nobody but their owner may look into: prompts, answers, output and the trees of agents, in which a program with
// special permission bits may lie, though the project's folder may be readable by all.
import { chmodSync, mkdirSync, statSync } from 'node:fs';

const OWNERS = 0o700;
const OF_OTHERS = 0o077;

/** Made where it is missing. One that is there is closed to others, unless it is somebody else's. */
export function makeOwnersFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNERS });
  const { uid, mode } = statSync(folder);
  if (uid === process.getuid?.() && (mode & OF_OTHERS) !== 0) chmodSync(folder, OWNERS);
}
