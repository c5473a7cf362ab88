// What is free on the machine of a host.
import { statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import type { HostRoom } from '../../core/protocol/host-message.ts';
import { Refused } from '../refused.ts';

/** For the files of one claim and a git that packs objects. A host with less takes nothing new. */
export const DISK_LEAST_BYTES = 256 * 1024 * 1024;

export function freeRoom(folder: string): HostRoom {
  const { bavail, bsize } = statfsSync(folder);
  return { diskBytes: bavail * bsize, memoryBytes: freemem() };
}

/** Undefined while there is room for a claim. */
export function diskLackOf(folder: string): string | undefined {
  const { diskBytes } = freeRoom(folder);
  if (diskBytes >= DISK_LEAST_BYTES) return undefined;
  return `its disk is full, with ${Math.floor(diskBytes / 1e6)} MB free below ${folder}`;
}

export function mustHaveDisk(folder: string): void {
  const { diskBytes: freeBytes } = freeRoom(folder);
  if (freeBytes < DISK_LEAST_BYTES)
    throw new Refused({ code: 'host-no-disk', folder, freeBytes, leastBytes: DISK_LEAST_BYTES });
}
