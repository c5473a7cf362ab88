// Keeps the declarations that the published surfaces lead to, and removes all others.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function pruneTypes(folder: string, entries: readonly string[]): void {
  const kept = new Set<string>();
  const queue = entries.map((name) => join(folder, name));
  for (const file of queue) {
    if (kept.has(file)) continue;
    kept.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g))
      queue.push(join(dirname(file), path.replace(/\.ts$/, '.d.ts')));
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(file)) rmSync(file);
  }
}
