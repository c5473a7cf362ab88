// Watches over the programs of a place while they work: what they take, and what they reach.
//
// W1. Who takes more than the plan allows is reported once, with a sentence that says which limit it was.
// W2. Nothing of a guard is left when it has stopped.
import { totalmem } from 'node:os';
import type { SandboxLimits } from '../../../core/plan/plan.ts';
import type { MonitorRequest, ResourceMonitor } from '../../ports/sandboxes.ts';
import { openEgressProxy, type EgressProxy } from './egress-proxy.ts';
import { upstreamsIn } from './upstream-proxy.ts';
import { processTreeOf, proportionalMemoryOf } from './process-tree.ts';
import { watchDiskUsage } from './disk-usage.ts';

export interface Watched {
  /** What counts towards the ceiling of the disk. */
  readonly folders: readonly string[];
  readonly limits: SandboxLimits;
  /** Whether all that programs start can be found from the first of them. */
  readonly isIsolated: boolean;
  /** The way out, where there is one. */
  readonly door: Door | undefined;
}

interface Door {
  readonly folder: string;
  readonly name: string;
  readonly allowed: readonly string[];
}

const COUNT_EVERY_MS = 250;

export async function startMonitor(
  { folders, limits, isIsolated, door }: Watched,
  order: MonitorRequest,
): Promise<ResourceMonitor> {
  const { onLimitExceeded, say } = order;
  const proxy = door === undefined ? undefined : await openDoor(door, say);
  let isOver = false;
  const breach = (message: string): void => {
    if (isOver) return;
    isOver = true;
    onLimitExceeded(message);
  };
  const stopDisk = watchDiskUsage({
    folders,
    ceilingBytes: limits.disk,
    onOver: (bytes) => breach(overDisk(limits.disk, bytes)),
  });
  let counting: NodeJS.Timeout | undefined;
  const watch = (pid: number): void => {
    if (!isIsolated) return;
    counting = setInterval(() => {
      const over = overCrowd(pid, limits);
      if (over !== undefined) breach(over);
    }, COUNT_EVERY_MS).unref();
  };
  return {
    watch,
    stop: () => {
      isOver = true;
      stopDisk();
      clearInterval(counting);
      proxy?.close();
    },
  };
}

/** Without it nothing can be reached, which is less than was allowed and never more. */
async function openDoor(door: Door, say: MonitorRequest['say']): Promise<EgressProxy | undefined> {
  try {
    return await openEgressProxy({ ...door, resolve: undefined, upstreamOf: upstreamsIn(process.env), say });
  } catch (cause) {
    say(`The network cannot be reached from this sandbox: ${String(cause)}`);
    return undefined;
  }
}

function overCrowd(pid: number, { memory = totalmem(), processes }: SandboxLimits): string | undefined {
  const crowd = processTreeOf(pid, processes);
  if (crowd.tasks >= processes) {
    return `Its programs were ended: they had ${processes} processes and threads at a time (sandbox.limits.processes).`;
  }
  if (crowd.memory <= memory) return undefined;
  const share = proportionalMemoryOf(crowd.pids);
  return share <= memory
    ? undefined
    : `Its programs were ended: they took ${inWords(share)} of memory, and ${inWords(memory)} is the most (sandbox.limits.memory).`;
}

const overDisk = (ceiling: number, bytes: number): string =>
  `Its programs were ended: its sandbox took ${inWords(bytes)} of the disk, and ${inWords(ceiling)} is the most (sandbox.limits.disk).`;

const MEGABYTE = 1_000_000;
const inWords = (bytes: number): string => `${Math.ceil(bytes / MEGABYTE)} MB`;
