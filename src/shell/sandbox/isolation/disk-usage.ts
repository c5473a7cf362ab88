// How much of the disk a place takes. Looking costs a walk over all its files, so it is done seldom; in between, what is
// left of the disk tells whether the place can have grown past its ceiling at all.
import { statfs } from 'node:fs/promises';
import { hasCode } from '../disk/files.ts';
import { runSandboxProgram } from '../disk/run-program.ts';

export interface DiskWatch {
  readonly folders: readonly string[];
  readonly ceilingBytes: number;
  readonly onOver: (bytes: number) => void;
}

const GLANCE_EVERY_MS = 250;
const LOOK_EVERY_MS = 5_000;
/** A walk may take no more than this share of the time. */
const LOOKS_SHARE = 20;
const LOOK_TIME_MAX_MS = 120_000;

/** Returns how to stop. */
export function watchDiskUsage(request: DiskWatch): () => void {
  const { folders, ceilingBytes, onOver } = request;
  const [folder = ''] = folders;
  let isOver = false;
  let taken = 0;
  let leftAtLook: number | undefined;
  let leftAtStart: number | undefined;
  let nextLookAt = performance.now() + LOOK_EVERY_MS;
  const glance = async (): Promise<void> => {
    const left = await leftOn(folder);
    if (left === undefined) return;
    leftAtStart ??= left;
    leftAtLook ??= left;
    const mayHaveGrown = leftAtLook - left;
    if (taken + mayHaveGrown <= ceilingBytes && performance.now() < nextLookAt) return;
    const from = performance.now();
    const look = await sizeOf(folders);
    taken = look.bytes;
    leftAtLook = left;
    nextLookAt = performance.now() + Math.max(LOOK_EVERY_MS, LOOKS_SHARE * (performance.now() - from));
    // Folders that nobody may enter hide what they hold, but not from the disk.
    const bytes = look.isWhole ? taken : Math.max(taken, leftAtStart - left);
    if (bytes > ceilingBytes && !isOver) {
      isOver = true;
      onOver(bytes);
    }
  };
  const go = async (): Promise<void> => {
    if (isOver) return;
    await glance();
    if (!isOver) timer = setTimeout(() => void go(), GLANCE_EVERY_MS).unref();
  };
  let timer = setTimeout(() => void go(), GLANCE_EVERY_MS).unref();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Undefined when somebody has deleted the folder. */
async function leftOn(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return undefined;
    throw cause;
  }
}

interface Size {
  readonly bytes: number;
  readonly isWhole: boolean;
}

const BLOCK_BYTES = 1024;

/** Blocks that are really taken, each file once, and nothing that is mounted below. */
async function sizeOf(folders: readonly string[]): Promise<Size> {
  const request = { cwd: '/', environment: process.env, input: undefined, limitMs: LOOK_TIME_MAX_MS };
  const { code, output } = await runSandboxProgram(['du', '-skxc', ...folders], request);
  const total = Number.parseInt(output.trim().split('\n').at(-1) ?? '', 10);
  return { bytes: (Number.isNaN(total) ? 0 : total) * BLOCK_BYTES, isWhole: code === 0 };
}
