// Faults in leases: work in a pool that goes on when its slots are given to others, or whose slots are never given away.
import type { Mutation } from './mutation.ts';

export const LEASES: readonly Mutation[] = [
  {
    fault: 'slots of a pool are given away before the lease is over',
    text: `heardAt + (latest.isRemote === true ? leaseMs : LEASE_MS);`,
    instead: `heardAt + (latest.isRemote === true ? leaseMs * 0.8 : LEASE_MS);`,
  },
  {
    fault: 'a server keeps to its own lease, and its hosts were told a longer one',
    text: `  const told = Math.max(leaseMs, ...owed.map((each) => each.leaseMs ?? 0));`,
    instead: `  const told = leaseMs;`,
  },
  {
    fault: 'claims of a program that another one in another home replaced are lost at once',
    text: `    held.instance !== undefined && held.instance !== instance && !follows.includes(held.instance);`,
    instead: `    held.instance !== undefined && held.instance === instance && !follows.includes(held.instance);`,
  },
  {
    fault: 'a replaced program has no lease',
    text: `    if (at < heardAt + dispatcher.leaseMs) continue;`,
    instead: `    if (at < heardAt) continue;`,
  },
  {
    fault: 'claims in pools are given without a lease',
    text: `  return needsOf(claim).endsCutOff ? leaseMs : undefined;`,
    instead: `  return needsOf(claim).endsCutOff && leaseMs < 0 ? leaseMs : undefined;`,
  },
  {
    fault: 'a claim whose offer was lost is given without its lease',
    text: `  if (known?.host !== undefined) return known.leaseMs;`,
    instead: `  if (known?.host !== undefined) return undefined;`,
  },
  {
    fault: 'a worker ends when its lease is over, and has no time to end in',
    text: `overAt - Math.min(MARGIN_MS, leaseMs / SHARE) - graceMs, graceMs, overAt }`,
    instead: `overAt, graceMs, overAt }`,
  },
];
