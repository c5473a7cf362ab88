// Heddle's own files: written whole or not at all, and removed without following mounts.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { startTimeOf } from '../../exec/process.ts';
import { runSandboxProgram } from './run-program.ts';

/** Replaced by a rename, so that a reader sees either version. Synchronous: waiting takes longer than writing. */
export async function writeWhole(file: string, text: string | Buffer): Promise<void> {
  const aside = `${file}.${asideName()}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(aside, text);
  renameSync(aside, file);
}

/** Undefined when there is no such file or it is not JSON. */
export function readJsonFile(file: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A unique name with the pid of its maker: it is a leftover as soon as the maker has exited. */
export const asideName = (): string => {
  ownMark ??= markOf(process.pid);
  return `aside-${process.pid}-${ownMark}-${randomUUID().slice(0, 8)}`;
};

let ownMark: string | undefined;
const markOf = (pid: number): string =>
  createHash('sha256')
    .update(startTimeOf(pid) ?? 'nobody')
    .digest('hex')
    .slice(0, 8);

/** Whether its maker has exited. */
export function isLeftOver(name: string): boolean {
  const [, pid, mark] = /^aside-(\d+)-([0-9a-f]+)-/.exec(name) ?? [];
  return pid !== undefined && markOf(Number(pid)) !== mark;
}

export async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (hasCode(cause, 'ENOENT') || hasCode(cause, 'ENOTDIR')) return [];
    throw cause;
  }
}

export const hasCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code;

/** Returns whether it existed. */
export async function moveIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return false;
    throw cause;
  }
}

/** Moved to the trash at once, then removed; after a kill in between a later start removes it. */
export async function throwAway(trash: string, paths: readonly string[]): Promise<void> {
  const aside = join(trash, asideName());
  await mkdir(aside, { recursive: true });
  for (const path of paths) await moveIfThere(path, join(aside, basename(path)));
  await removeFolder(aside);
}

/** Anything but a folder is left alone. */
export async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (cause) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].some((code) => hasCode(cause, code))) throw cause;
  }
}

const REMOVE_TRIES = 3;
const REMOVED_AT_ONCE_MAX = 64;

/** Never through a mount that somebody made there. */
export const removeFolder = (folder: string): Promise<void> => removeTogether(folder);

const removeTogether = together(async (folders: readonly string[]): Promise<readonly undefined[]> => {
  for (let tries = 0; tries < REMOVE_TRIES; tries += 1) {
    const left = folders.filter((folder) => existsSync(folder));
    if (left.length === 0) break;
    // Agents create folders without permissions for their owner, and so does the kernel in an overlay's work folder.
    if (tries > 0) await runSandboxProgram(['chmod', '-R', 'u+rwX', ...left], plainly('/'));
    await runSandboxProgram(['rm', '-rf', ...ON_ONE_DISK, '--', ...left], plainly('/'));
  }
  return folders.map(() => undefined);
}, REMOVED_AT_ONCE_MAX);

const ON_ONE_DISK = process.platform === 'linux' ? ['--one-file-system'] : [];
const REMOVE_TIME_MAX_MS = 600_000;
const plainly = (cwd: string) => ({ cwd, environment: process.env, input: undefined, limitMs: REMOVE_TIME_MAX_MS });

// Batches concurrent requests, because starting processes is the main cost.

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (cause: unknown) => void;
}

/** Requests during a batch form the next one. `action` answers for each item, in order. */
function together<Item, Result>(
  action: (items: readonly Item[]) => Promise<readonly Result[]>,
  atOnceMax: number,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;
  const goOn = async (): Promise<void> => {
    while (waiting.length > 0) {
      const some = waiting.splice(0, atOnceMax);
      try {
        const results = await action(some.map(({ item }) => item));
        for (const [index, result] of results.entries()) some[index]?.resolve(result);
      } catch (cause) {
        for (const { reject } of some) reject(cause);
      }
    }
    isRunning = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void goOn());
    });
}

// Takes from files what would give other users of the machine the rights of the user who started the run: setuid and setgid,
// with the sticky bit, devices, and capabilities of files. Mounts ignore them inside; on the disk they would stay.

const TIME_MAX_MS = 600_000;

/**
 * An overlay marks a deleted file by a character device 0:0, which opens nothing. The kernel takes capabilities from a file
 * whose owner is set, even to the same one; only root can have given any that count outside.
 */
const DROP = `find "$@" -xdev ! -type l -perm /7000 -exec chmod ug-s,-t {} +
find "$@" -xdev -type b -exec rm -f {} +
find "$@" -xdev -type c -exec sh -c 'for one; do [ "$(stat -c %t:%T "$one")" = 0:0 ] || rm -f "$one"; done' sh {} +
[ "$(id -u)" != 0 ] || find "$@" -xdev -type f -perm /111 -exec chown -h : {} +`;

/**
 * Called when no program is left that could put them back. Links are not followed. Folders that their owner may not enter
 * are passed by: nobody else may either.
 */
export async function dropSpecialBits(folders: readonly string[]): Promise<void> {
  const there = folders.filter((folder) => existsSync(folder));
  if (there.length === 0 || process.platform !== 'linux') return;
  const request = { cwd: '/', environment: process.env, input: undefined, limitMs: TIME_MAX_MS };
  await runSandboxProgram(['sh', '-c', DROP, 'heddle', ...there], request);
}
