// A worker that ends by its lease, as the one does that is shipped: it outlives its host (lease-times/A1).
import { leaseTimes } from '../../src/shell/host/worker/lease-times.ts';
import { endWorker, stopped } from './start-worker.ts';
import type { Worker } from './worker.ts';
import type { HostWorld } from './world.ts';

interface Leasing {
  readonly world: HostWorld;
  readonly machine: { readonly heardAt: number };
  readonly onEnd: (worker: Worker) => void;
}

const LEASE_GRACE_MS = 5_000;

export function endInTime({ world, machine, onEnd }: Leasing, worker: Worker, leaseMs: number): void {
  const { timeline, counts, dice } = world;
  const look = (): void => {
    if (!worker.isAlive) return;
    const { endAt, graceMs } = leaseTimes({ heardAt: machine.heardAt, leaseMs, graceMs: LEASE_GRACE_MS });
    const now = timeline.now();
    if (now < endAt) return timeline.schedule(endAt - now, look);
    counts.add('ended by its lease');
    // Within its grace, whatever else it was asked.
    timeline.schedule(dice.named(`lease of ${worker.key}`).below(graceMs), () =>
      endWorker(worker, { ...stopped(worker.claim, worker.live), by: 'lease' }, onEnd),
    );
  };
  look();
}
