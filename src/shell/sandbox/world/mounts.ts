// What is mounted where, as the kernel says it, and overlays that we mount and unmount.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runProgram } from './program.ts';

export interface OverlayLayers {
  /** Topmost first. */
  readonly lower: readonly string[];
  readonly upper: string;
  readonly work: string;
  readonly at: string;
}

/** Trouble in words; undefined when all is well. */
export type Trouble = string | undefined;

const MOUNT_TIME_MAX_MS = 30_000;
/** A program that has just been ended may hold a mount a moment longer. */
const UNMOUNT_TRIES = 20;
const UNMOUNT_PAUSE_MS = 100;

/** Mount points at or below a folder, deepest first. Empty where the system has no such list. */
export function mountsUnder(folder: string): readonly string[] {
  return mountPoints()
    .filter((point) => point === folder || point.startsWith(`${folder}/`))
    .reverse();
}

export const isMounted = (folder: string): boolean => mountPoints().includes(folder);

function mountPoints(): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ').slice(POINT, POINT + 1))
    .map((point) => point.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8))));
}

/** Which field of a line has the mount point, in octal escapes where it holds blanks. */
const POINT = 4;

/**
 * Paths are given relative to the home, because commas and colons of a path would end an option, and because the options
 * of a mount have to fit into one page.
 */
export const overlayOptions = (home: string, layers: OverlayLayers, more: readonly string[]): string => {
  const from = (path: string): string => relative(home, path);
  const lower = `lowerdir=${layers.lower.map(from).join(':')}`;
  return [lower, `upperdir=${from(layers.upper)}`, `workdir=${from(layers.work)}`, ...PLAIN_UPPER, ...more].join(',');
};

/** What is in the upper folder is then all that differs, and whole: no file's content and no folder's is elsewhere. */
const PLAIN_UPPER = ['index=off', 'redirect_dir=nofollow', 'metacopy=off'];

/** Those that are wanted at the same time share one program, because starting programs is what costs. */
export function mountOverlay(home: string, layers: OverlayLayers): Promise<Trouble> {
  return new Promise((resolve, reject) => {
    waiting.push({ home, options: overlayOptions(home, layers, []), at: layers.at, resolve, reject });
    if (waiting.length === 1 && !isMounting) setImmediate(mountWaiting);
  });
}

interface Waiting {
  readonly home: string;
  readonly options: string;
  readonly at: string;
  readonly resolve: (trouble: Trouble) => void;
  readonly reject: (cause: unknown) => void;
}

let waiting: Waiting[] = [];
let isMounting = false;

async function mountWaiting(): Promise<void> {
  const [first] = waiting;
  if (first === undefined) return;
  // One program has one current folder, so those of another home wait for the next.
  const batch = waiting.filter(({ home }) => home === first.home).slice(0, BATCH_MAX);
  waiting = waiting.filter((one) => !batch.includes(one));
  isMounting = true;
  try {
    const troubles = await mountAll(first.home, batch);
    for (const [index, { resolve }] of batch.entries()) resolve(troubles[index]);
  } catch (cause) {
    for (const { reject } of batch) reject(cause);
  }
  isMounting = false;
  await mountWaiting();
}

/** So that the options of all fit on a command line. */
const BATCH_MAX = 16;

/** A line for each: what went wrong, or nothing. */
const MOUNT_ALL = `set -f
while [ $# -gt 0 ]; do
  said=$(mount -t overlay heddle -o "$1" "$2" 2>&1) && said= || said=\${said:-it failed}
  echo $said
  shift 2
done`;

async function mountAll(home: string, batch: readonly Waiting[]): Promise<readonly Trouble[]> {
  const args = batch.flatMap(({ options, at }) => [options, at]);
  const ending = await runProgram(['sh', '-c', MOUNT_ALL, 'heddle', ...args], plainly(home));
  const lines = ending.output.split('\n');
  return batch.map(({ at }, index) => {
    const said = lines[index] ?? ending.complaint;
    return said === '' && ending.code === 0 ? undefined : `${at} could not be mounted: ${said}`;
  });
}

/** Everything at or below a folder; trouble when something is still mounted afterwards. */
export async function unmountAll(folder: string): Promise<Trouble> {
  let complaint = '';
  for (let tries = 0; tries < UNMOUNT_TRIES; tries += 1) {
    const points = mountsUnder(folder);
    if (points.length === 0) return undefined;
    const endings = await runProgram(['umount', ...points], plainly('/'));
    complaint = endings.complaint;
    if (endings.code !== 0) await setTimeout(UNMOUNT_PAUSE_MS);
  }
  if (mountsUnder(folder).length === 0) return undefined;
  return `${folder} is still mounted: ${complaint} End the programs that use it and try again.`;
}

const plainly = (cwd: string) => ({ cwd, environment: process.env, input: undefined, limitMs: MOUNT_TIME_MAX_MS });
