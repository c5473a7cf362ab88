// Files under construction carry the pid of their builder. Leftovers of dead builders are removed.
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startTimeOf } from '../../exec/process.ts';

let builds = 0;

/** A unique name beside the final one. */
export function asideOf(path: string): string {
  builds += 1;
  return `${path}.making-${process.pid}-${builds}`;
}

/** Reads these folders and not below; spares files of live processes. */
export async function removeLeftovers(folders: readonly string[]): Promise<void> {
  for (const folder of folders.filter((one) => existsSync(one))) {
    const left = readdirSync(folder).filter(isOfTheDead);
    await Promise.all(left.map(async (name) => rm(join(folder, name), { recursive: true, force: true })));
  }
}

/** When a later process has the same pid, the leftover stays until that process has exited too. */
function isOfTheDead(name: string): boolean {
  const builder = /\.making-(\d+)-\d+$/.exec(name)?.[1];
  return builder !== undefined && startTimeOf(Number(builder)) === undefined;
}
