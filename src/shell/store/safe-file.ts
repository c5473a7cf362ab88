// Files that are made beside the store when it is in trouble: named without taking anybody's place, and forced to the disk.
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** The most files of one kind that are made before a person has to look. */
const FILES_MAX = 9;

/** `stem-1.sqlite` and so on; undefined when all are taken. */
export function freeName(home: string, stem: string): string | undefined {
  for (let number = 1; number <= FILES_MAX; number += 1) {
    const name = `${stem}-${number}.sqlite`;
    if (!existsSync(join(home, name))) return name;
  }
  return undefined;
}

/** SQLite does not force a copy that it makes to the disk, so we do, with its name. */
export function settle(home: string, file: string): void {
  for (const path of [file, home]) {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}
