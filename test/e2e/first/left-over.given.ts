// What a folder has left behind: processes that stand in it or were started with a word of it, and mounts.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Empty where the system does not tell. */
export function processesOf(folder: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return others.filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) || words.includes(folder);
    } catch {
      // It ended while we looked, or is somebody else's.
      return false;
    }
  });
}

/** Where something is mounted in a folder; empty where the system does not tell. */
export function mountsBelow(folder: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  return lines.flatMap((line) => line.split(' ')[4] ?? []).filter((place) => place.startsWith(`${folder}/`));
}
