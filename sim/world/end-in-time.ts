// A worker that ends by its lease, as the one does that is shipped: it outlives its host (lease-times/A1).
import { lookAtLease } from '../../src/shell/host/worker/lease-times.ts';
import { endWorker, stopped } from './start-worker.ts';
import type { Worker } from './worker.ts';
import type { HostWorld } from './world.ts';

interface Leasing {
  readonly world: HostWorld;
  readonly machine: { readonly heardAt: number; readonly clock: () => number };
  readonly onEnd: (worker: Worker) => void;
}

const LEASE_GRACE_MS = 5_000;
/** The worker that is shipped looks this often, also when its machine has stood still. */
export const LEASE_LOOK_MS = 1_000;

export function endInTime({ world, machine, onEnd }: Leasing, worker: Worker, leaseMs: number): void {
  const { timeline, counts, dice } = world;
  const random = dice.named(`lease of ${worker.key}`);
  let { heardAt } = machine;
  const look = (): void => {
    if (!worker.isAlive) return;
    const now = machine.clock();
    const seen = lookAtLease({ heardAt, leaseMs, graceMs: LEASE_GRACE_MS }, now, () => machine.heardAt);
    if (seen.type === 'going') {
      if (seen.heardAt > heardAt) counts.add('lease renewed');
      heardAt = seen.heardAt;
      return timeline.schedule(seen.until - now, () => timeline.schedule(random.below(LEASE_LOOK_MS), look));
    }
    counts.add('ended by its lease');
    if (now >= heardAt + leaseMs) counts.add('lease ran out unseen');
    // Within its grace, whatever else it was asked.
    timeline.schedule(random.next() * seen.graceMs, () =>
      endWorker(worker, { ...stopped(worker.claim, worker.live), by: 'lease' }, onEnd),
    );
  };
  look();
}
