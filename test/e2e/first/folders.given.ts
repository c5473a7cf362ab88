// Folders for tests of the first minute, gone after each of them.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach } from 'vitest';

const made: string[] = [];

/** To be called once in a file of tests. */
export function removeFoldersAfterEach(): void {
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}

export function givenFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-first-')));
  made.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A folder of programs that stand in for those of the same name. */
export function givenPrograms(programs: Readonly<Record<string, string>>): string {
  const folder = givenFolder(programs);
  for (const name of Object.keys(programs)) chmodSync(join(folder, name), 0o755);
  return folder;
}

/** A folder with a link to git, and no program besides. */
export function givenGit(): string {
  const folder = givenFolder();
  symlinkSync(execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(), join(folder, 'git'));
  return folder;
}

/** A folder of links to all programs of the PATH but some. */
export function givenSystemWithout(...names: readonly string[]): string {
  const to = givenFolder();
  // By name and not by what is there, since what is linked to may lead nowhere.
  const linked = new Set(names);
  for (const from of (process.env['PATH'] ?? '').split(delimiter).filter((folder) => existsSync(folder)))
    for (const name of readdirSync(from).filter((each) => !linked.has(each))) {
      linked.add(name);
      symlinkSync(join(from, name), join(to, name));
    }
  return to;
}
