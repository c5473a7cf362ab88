// Which processes stand in a folder or were started with a word of it.
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
