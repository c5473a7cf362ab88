// Ends the work of a claim whose lease is over: no server of its run has heard this host for too long, and its slots of pools
// are given to others (lease-times/A1).
//
// watch-lease/T1. The worker watches, because it is what outlives a host program that was killed, and what runs on while that
//     program stands still.
// watch-lease/T2. It begins nothing for a program that another one has followed in its home: that one may have looked for the
//     claim already, and said that it was never begun.
import { lookAtLease } from './lease-times.ts';
import { elapsedMs } from '../../exec/elapsed.ts';
import { readLeases } from '../lease-file.ts';
import type { Assign } from '../worker-messages.ts';

/** Timers of a machine that slept are late, so the clock is looked at often. */
const LOOK_EVERY_MS = 1_000;
/** Of a short lease. */
const LOOKS_PER_LEASE = 40;

type Watched = Pick<Assign, 'lease' | 'run' | 'graceMs'>;

/** Called after the claim was taken; returns a function that ends the watch. */
export function watchLease(
  { lease, run, graceMs }: Watched,
  onOver: (graceMs: number) => void,
  clock: () => number = elapsedMs,
): () => void {
  if (lease === undefined) return () => undefined;
  const { file, instance, leaseMs } = lease;
  const latest = (): number | undefined => readLeases(file, clock())?.heardAt.get(run);
  const first = readLeases(file, clock());
  let heardAt = first?.instance === instance ? first.heardAt.get(run) : undefined;
  const look = (): void => {
    const state = lookAtLease({ heardAt: heardAt ?? -Infinity, leaseMs, graceMs }, clock(), latest);
    if (state.type === 'going') {
      heardAt = state.heardAt;
      return;
    }
    clearInterval(looking);
    onOver(state.graceMs);
  };
  const looking = setInterval(look, Math.min(LOOK_EVERY_MS, leaseMs / LOOKS_PER_LEASE));
  look();
  return () => clearInterval(looking);
}
