// Mount points, as the kernel lists them, and mounting and unmounting of overlays.
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runProgram } from './run-program.ts';
import { together } from './together.ts';

export interface OverlayLayers {
  /** Topmost first. */
  readonly lower: readonly string[];
  readonly upper: string;
  readonly work: string;
  readonly at: string;
}

/** An error message; undefined on success. */
export type Trouble = string | undefined;

const MOUNT_TIME_MAX_MS = 30_000;
/** A program that has just been ended may hold a mount a moment longer. */
const UNMOUNT_TRIES = 20;
const UNMOUNT_PAUSE_MS = 100;

/** Mount points at or below a folder, deepest first. Empty where the system has no such list. */
export const mountsUnder = (folder: string): readonly string[] => pointsBelow([folder]);

/** Whether an overlay is mounted: a mount is on another device than its parent folder. */
export function isMounted(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.dev !== lstatSync(dirname(folder)).dev;
}

function mountPoints(): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ').slice(POINT, POINT + 1))
    .map((point) => point.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8))));
}

/** The field of a line with the mount point, with octal escapes for blanks. */
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

/** With these the upper folder holds all differences, complete: no content of a file or a folder is elsewhere. */
const PLAIN_UPPER = ['index=off', 'redirect_dir=nofollow', 'metacopy=off'];

interface Mounting {
  readonly home: string;
  readonly options: string;
  readonly at: string;
}

/** Mounts per batch, so that none waits long for others. */
const AT_ONCE_MAX = 64;

export const mountOverlay = (home: string, layers: OverlayLayers): Promise<Trouble> =>
  mountTogether({ home, options: overlayOptions(home, layers, []), at: layers.at });

const mountTogether = together(async (all: readonly Mounting[]): Promise<readonly Trouble[]> => {
  // A process has one current folder, which the options are relative to.
  const byHome = Map.groupBy(all, ({ home }) => home);
  for (const [home, some] of byHome) await mountListed(home, some);
  const points = new Set(mountPoints());
  return Promise.all(all.map(async (one) => (points.has(one.at) ? undefined : mountAlone(one))));
}, AT_ONCE_MAX);

/** All in one process. Its output is ignored: whatever is not mounted afterwards is tried alone. */
async function mountListed(home: string, some: readonly Mounting[]): Promise<void> {
  if (some.length === 1) return;
  const lines = some.map(({ options, at }) => `heddle ${escaped(at)} overlay ${escaped(options)} 0 0\n`);
  // In a file: standard input of a child of Node is a socket, which cannot be opened by name.
  const list = join(mkdtempSync(join(tmpdir(), 'heddle-mounts-')), 'list');
  writeFileSync(list, lines.join(''));
  await runProgram(['mount', '-a', '-T', list], plainly(home));
  rmSync(dirname(list), { recursive: true, force: true });
}

const escaped = (text: string): string =>
  text.replaceAll(/[\s\\#]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);

async function mountAlone({ home, options, at }: Mounting): Promise<Trouble> {
  const ending = await runProgram(['mount', '-t', 'overlay', 'heddle', '-o', options, at], plainly(home));
  return ending.code === 0 ? undefined : `${at} could not be mounted: ${ending.stderr}`;
}

/** Unmounts everything at or below a folder; an error when something is still mounted afterwards. */
export const unmountAll = (folder: string): Promise<Trouble> => unmountTogether(folder);

const unmountTogether = together(async (folders: readonly string[]): Promise<readonly Trouble[]> => {
  let stderr = '';
  for (let tries = 0; tries < UNMOUNT_TRIES; tries += 1) {
    const points = pointsBelow(folders);
    if (points.length === 0) return folders.map(() => undefined);
    const ending = await runProgram(['umount', ...points], plainly('/'));
    stderr = ending.stderr;
    if (ending.code !== 0) await setTimeout(UNMOUNT_PAUSE_MS);
  }
  return folders.map((folder) =>
    mountsUnder(folder).length === 0
      ? undefined
      : `${folder} is still mounted: ${stderr} End the programs that use it and try again.`,
  );
}, AT_ONCE_MAX);

/** Deepest first. */
function pointsBelow(folders: readonly string[]): readonly string[] {
  const isBelow = (point: string): boolean =>
    folders.some((folder) => point === folder || point.startsWith(`${folder}/`));
  return mountPoints().filter(isBelow).reverse();
}

const plainly = (cwd: string) => ({ cwd, environment: process.env, input: undefined, limitMs: MOUNT_TIME_MAX_MS });
