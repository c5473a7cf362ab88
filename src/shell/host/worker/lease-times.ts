// When a claim that holds slots of pools has to end on a host that no server hears (dispatcher/K11).
//
// lease-times/A1. The host counts from the moment at which it sent the last message that was answered. The server had that message
//     later, and counts from then or from a later one: so the host's lease ends first, however slow the network was.
// lease-times/A2. Ending takes time, and the clocks of two machines differ a little. So the claim is asked to end before its lease
//     is over; with its grace that leaves a margin.
// lease-times/A3. A lease that ran out unseen is not renewed: what a program that stood still missed, nobody else did.

export interface LeaseTimes {
  /** The claim is asked to end, unless the lease was renewed. */
  readonly endAt: number;
  /** From `endAt` on, for programs to end by themselves. */
  readonly graceMs: number;
  /** Nothing of the claim is alive. */
  readonly overAt: number;
}

/** To see that the lease is over, to kill what does not end, and for clocks that differ. */
const MARGIN_MS = 5_000;
/** A short lease is divided: half of it is for the work at least. */
const SHARE = 4;

export interface Leased {
  /** When the message was sent that was answered last. */
  readonly heardAt: number;
  readonly leaseMs: number;
  /** As much as the host gives. */
  readonly graceMs: number;
}

export function leaseTimes({ heardAt, leaseMs, graceMs: wanted }: Leased): LeaseTimes {
  const graceMs = Math.min(wanted, leaseMs / SHARE);
  const overAt = heardAt + leaseMs;
  return { endAt: overAt - Math.min(MARGIN_MS, leaseMs / SHARE) - graceMs, graceMs, overAt };
}

export type LeaseState =
  /** To be looked at again then. */
  | { readonly type: 'going'; readonly until: number; readonly heardAt: number }
  | { readonly type: 'over'; readonly graceMs: number };

/** `heardAt` is what was known before; `latest` is read only when that has run out, and undefined where nothing is known. */
export function lookAtLease(leased: Leased, now: number, latest: () => number | undefined): LeaseState {
  const { endAt, graceMs, overAt } = leaseTimes(leased);
  if (now < endAt) return { type: 'going', until: endAt, heardAt: leased.heardAt };
  const leftMs = Math.max(0, Math.min(graceMs, endAt + graceMs - now));
  const over: LeaseState = { type: 'over', graceMs: leftMs };
  if (now >= overAt) return over;
  const heardAt = latest() ?? leased.heardAt;
  const renewed = leaseTimes({ ...leased, heardAt });
  return now < renewed.endAt ? { type: 'going', until: renewed.endAt, heardAt } : over;
}
