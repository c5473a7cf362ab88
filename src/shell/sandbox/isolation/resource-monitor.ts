// Monitors the programs of a sandbox while they run: their disk, memory and processes, and their way to the network.
//
// resource-monitor/W1. Programs that take more than the plan allows are reported once, with the limit that they exceeded.
// resource-monitor/W2. Nothing of a monitor is left when it has stopped.
import { Server } from 'node:net';
import { totalmem } from 'node:os';
import type { SandboxLimits } from '../../../core/plan/plan.ts';
import type { MonitorRequest, ResourceMonitor } from '../../ports/sandboxes.ts';
import { openEgressProxy, type EgressProxy } from './egress-proxy.ts';
import { upstreamsIn } from './upstream-proxy.ts';
import { processTreeOf, proportionalMemoryOf } from './process-tree.ts';
import { watchDiskUsage } from './disk-usage.ts';

export interface Monitored {
  /** What counts towards the ceiling of the disk. */
  readonly folders: readonly string[];
  readonly limits: SandboxLimits;
  /** Whether all that programs start can be found from the first of them. */
  readonly isIsolated: boolean;
  /** The hosts that an egress proxy lets through; undefined where there is no proxy. */
  readonly allowed: readonly string[] | undefined;
}

const COUNT_EVERY_MS = 250;

export function startMonitor(
  { folders, limits, isIsolated, allowed }: Monitored,
  { onLimitExceeded, say }: MonitorRequest,
): ResourceMonitor {
  const proxy = allowed === undefined ? undefined : openProxyFor(allowed, say);
  let isOver = false;
  const exceed = (message: string): void => {
    if (isOver) return;
    isOver = true;
    onLimitExceeded(message);
  };
  const stopDisk = watchDiskUsage({
    folders,
    ceilingBytes: limits.disk,
    onOver: (bytes) => exceed(overDisk(limits.disk, bytes)),
  });
  let counting: NodeJS.Timeout | undefined;
  const watch = (pid: number): void => {
    if (!isIsolated) return;
    counting = setInterval(() => {
      const over = overLimits(pid, limits);
      if (over !== undefined) exceed(over);
    }, COUNT_EVERY_MS).unref();
  };
  return {
    watch,
    onMessage: proxy === undefined ? undefined : (message, handle) => serve(proxy, message, handle),
    stop: async () => {
      isOver = true;
      stopDisk();
      clearInterval(counting);
      proxy?.close();
    },
  };
}

const openProxyFor = (allowed: readonly string[], say: MonitorRequest['say']): EgressProxy =>
  openEgressProxy({ allowed, resolve: undefined, upstreamOf: upstreamsIn(process.env), say });

/** A message that is not from `open-sockets` is left alone. */
function serve(proxy: EgressProxy, message: unknown, handle: unknown): void {
  if (!(handle instanceof Server) || typeof message !== 'object' || message === null) return;
  if ('destination' in message && typeof message.destination === 'string') proxy.serve(handle, message.destination);
}

function overLimits(pid: number, { memory = totalmem(), processes }: SandboxLimits): string | undefined {
  const tree = processTreeOf(pid, processes);
  if (tree.tasks >= processes) {
    return `Its programs were ended: they had ${processes} processes and threads at a time (sandbox.limits.processes).`;
  }
  if (tree.memory <= memory) return undefined;
  const share = proportionalMemoryOf(tree.pids);
  return share <= memory
    ? undefined
    : `Its programs were ended: they took ${inWords(share)} of memory, and ${inWords(memory)} is the most (sandbox.limits.memory).`;
}

const overDisk = (ceiling: number, bytes: number): string =>
  `Its programs were ended: its sandbox took ${inWords(bytes)} of the disk, and ${inWords(ceiling)} is the most (sandbox.limits.disk).`;

const MEGABYTE = 1_000_000;
const inWords = (bytes: number): string => `${Math.ceil(bytes / MEGABYTE)} MB`;
