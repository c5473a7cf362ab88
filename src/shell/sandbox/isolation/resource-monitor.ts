// Monitors the programs of a sandbox while they run: their disk, memory and processes, and their way to the network.
//
// resource-monitor/W1. Programs that take more than the plan allows are reported once, with the limit that they exceeded.
// resource-monitor/W2. Nothing of a monitor is left when it has stopped.
import { Server, type Socket } from 'node:net';
import { totalmem } from 'node:os';
import type { SandboxLimits } from '../../../core/plan/plan.ts';
import type { MonitorRequest, ResourceMonitor } from '../../ports/workplace.ts';
import type { EgressProxy } from './egress-proxy.ts';
import { processTreeOf, proportionalMemoryOf } from './process-tree.ts';
import type { Cgroup } from './cgroup.ts';
import { watchDiskUsage } from './disk-usage.ts';

export interface Monitored {
  /** What counts towards the ceiling of the disk. */
  readonly folders: readonly string[];
  readonly limits: SandboxLimits;
  /** Whether all that programs start can be found from the first of them. */
  readonly isIsolated: boolean;
  /** The hosts that an egress proxy lets through; undefined where there is no proxy. */
  readonly allowed: readonly string[] | undefined;
  /** The control group that the programs are started in; undefined where there is none. */
  readonly cgroup: Cgroup | undefined;
}

const SHARE = 1 / 4;
const SMALL_MACHINE_SHARE = 1 / 2;
const LEAST_BYTES = 4 * 1024 ** 3;

/**
 * Bytes of memory that the programs of one sandbox may take when the plan does not say: so much that as many sandboxes as run
 * by default fit the machine, and enough for a build on a small one.
 */
export const defaultMemory = (machineBytes: number): number =>
  Math.floor(Math.max(machineBytes * SHARE, Math.min(LEAST_BYTES, machineBytes * SMALL_MACHINE_SHARE)));

/** The memory limit of a plan, or the default on this machine. */
export const memoryLimit = ({ memory }: SandboxLimits): number => memory ?? defaultMemory(totalmem());

const COUNT_EVERY_MS = 250;

export function startMonitor(
  { folders, limits, isIsolated, allowed, cgroup }: Monitored,
  { onLimitExceeded, say }: MonitorRequest,
): ResourceMonitor {
  const proxy = allowed === undefined ? undefined : proxyOnDemand(() => loadProxy(allowed, say));
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
    if (!isIsolated && cgroup === undefined) return;
    counting = setInterval(() => {
      const over = overInKernel(cgroup, limits) ?? (isIsolated ? overLimits(pid, limits) : undefined);
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
      const over = overInKernel(cgroup, limits);
      await cgroup?.remove();
      return over;
    },
  };
}

async function loadProxy(allowed: readonly string[], say: MonitorRequest['say']): Promise<EgressProxy> {
  const { openEgressProxy } = await import('./egress-proxy.ts');
  const { upstreamsIn } = await import('./upstream-proxy.ts');
  return openEgressProxy({ allowed, resolve: undefined, upstreamOf: upstreamsIn(process.env), say });
}

/** Loads the proxy when a program first connects: most commands reach nothing, and HTTP takes 6 MB of each worker. */
export function proxyOnDemand(load: () => Promise<EgressProxy>): EgressProxy {
  let loading: Promise<EgressProxy> | undefined;
  let isClosed = false;
  const sockets: Server[] = [];
  /** Connections that came while the proxy was loaded. */
  const early: { readonly to: Server; readonly connection: Socket }[] = [];
  const loaded = (): Promise<EgressProxy> => (loading ??= load());
  const handOver = async (socket: Server, destination: string): Promise<void> => {
    const proxy = await loaded();
    if (isClosed) return proxy.close();
    socket.removeAllListeners('connection');
    proxy.serve(socket, destination);
    for (const { to, connection } of early) if (to === socket) socket.emit('connection', connection);
  };
  return {
    serve: (socket, destination) => {
      sockets.push(socket);
      socket.unref();
      socket.on('connection', (connection) => {
        const isFirst = early.every(({ to }) => to !== socket);
        early.push({ to: socket, connection });
        if (isFirst) void handOver(socket, destination);
      });
    },
    close: () => {
      isClosed = true;
      for (const socket of sockets) socket.close();
      for (const { connection } of early) connection.destroy();
      void loading?.then((proxy) => proxy.close());
    },
  };
}

/** A message that is not from `open-sockets` is left alone. */
function serve(proxy: EgressProxy, message: unknown, handle: unknown): void {
  if (!(handle instanceof Server) || typeof message !== 'object' || message === null) return;
  if ('destination' in message && typeof message.destination === 'string') proxy.serve(handle, message.destination);
}

function overInKernel(cgroup: Cgroup | undefined, limits: SandboxLimits): string | undefined {
  switch (cgroup?.exceeded()) {
    case 'memory':
      return `Its programs were ended: they took ${inWords(memoryLimit(limits))} of memory, which is the most (sandbox.limits.memory).`;
    case 'processes':
      return overProcesses(limits);
    case undefined:
      return undefined;
  }
}

const overProcesses = ({ processes }: SandboxLimits): string =>
  `Its programs were ended: they had ${processes} processes and threads at a time (sandbox.limits.processes).`;

function overLimits(pid: number, limits: SandboxLimits): string | undefined {
  const memory = memoryLimit(limits);
  const tree = processTreeOf(pid, limits.processes);
  if (tree.tasks >= limits.processes) return overProcesses(limits);
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
