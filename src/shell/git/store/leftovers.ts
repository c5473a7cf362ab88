// What is built aside carries the number of the process that builds it. What dead processes left half built is removed.
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startTimeOf } from '../../exec/process.ts';

let builds = 0;

/** A name beside the final one that no other build has. */
export function asideOf(path: string): string {
  builds += 1;
  return `${path}.making-${process.pid}-${builds}`;
}

/** Looks into these folders and not below; what the living build stays. */
export async function removeLeftovers(folders: readonly string[]): Promise<void> {
  for (const folder of folders.filter((one) => existsSync(one))) {
    const left = readdirSync(folder).filter(isOfTheDead);
    await Promise.all(left.map(async (name) => rm(join(folder, name), { recursive: true, force: true })));
  }
}

/** A number that a later process has got keeps its leftover until that one is gone as well. */
function isOfTheDead(name: string): boolean {
  const builder = /\.making-(\d+)-\d+$/.exec(name)?.[1];
  return builder !== undefined && startTimeOf(Number(builder)) === undefined;
}
