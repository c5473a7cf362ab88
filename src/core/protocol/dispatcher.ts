// The dispatcher: which host holds which claim, and the messages to each host. Its state is rebuilt from the next
// messages of the hosts, so a restarted coordinator starts with an empty dispatcher.
//
// dispatcher/K1. A claim is offered to one host at a time: not while another host holds it, and to no host once it is
//   to be stopped.
// dispatcher/K2. A host that still holds a claim which is no longer owed gets nothing new until that claim is gone;
//   otherwise two attempts of one step could run at once and oversubscribe their pools.
// dispatcher/K3. Each message is answered at most once, and only when there is something to send: a host without a
//   reply waits.
import { claimKey, type Assignment, type ClaimRef } from './assignment.ts';
import type { Spend } from './result.ts';
import type { Held, Reply, Sync } from './sync.ts';
import type { WorkOutcome } from './work-outcome.ts';

/** A host that is silent for this long is declared lost, together with its claims. */
export const LEASE_MS = 90_000;

interface Host {
  /** The latest message, until it is answered. */
  readonly open: Sync | undefined;
  readonly latest: Sync;
  readonly heardAt: number;
}

export interface Dispatcher {
  readonly hosts: Map<string, Host>;
}

export const startDispatcher = (): Dispatcher => ({ hosts: new Map() });

/** Receives messages, at a time that never goes back, and returns the outcomes that they report. */
export function receive(dispatcher: Dispatcher, syncs: readonly Sync[], at: number): readonly WorkOutcome[] {
  const outcomes: WorkOutcome[] = [];
  for (const sync of syncs) {
    const known = dispatcher.hosts.get(sync.host);
    // Messages may arrive out of order. An outcome in an old message is still a fact; its list of claims is outdated.
    outcomes.push(...sync.done);
    if (known !== undefined && known.latest.number >= sync.number) continue;
    dispatcher.hosts.set(sync.host, { open: sync, latest: sync, heardAt: at });
    outcomes.push(...spendingOf(sync, known?.latest));
  }
  return outcomes;
}

/** Costs of running claims that have changed since the host's latest message. */
function spendingOf(sync: Sync, earlier: Sync | undefined): readonly WorkOutcome[] {
  const before = new Map(earlier?.held.map(({ claim, spend }) => [claimKey(claim), spend]));
  return sync.held.flatMap(({ claim, spend }): WorkOutcome[] => {
    const { task, step, attempt } = claim;
    const known = before.get(claimKey(claim));
    const isNews = spend.usd !== known?.usd || spend.tokens !== known?.tokens;
    const isKnown = spend.usd !== undefined || spend.tokens !== undefined;
    return step === undefined || !isNews || !isKnown ? [] : [{ type: 'step.spending', task, step, attempt, spend }];
  });
}

/** Claims of hosts that have been silent for a whole lease. The hosts are forgotten, and may come back as new hosts. */
export function expire(dispatcher: Dispatcher, at: number): readonly WorkOutcome[] {
  const outcomes: WorkOutcome[] = [];
  for (const [name, { latest, heardAt }] of dispatcher.hosts) {
    if (at - heardAt < LEASE_MS) continue;
    dispatcher.hosts.delete(name);
    outcomes.push(...latest.held.map(({ claim }) => lost(claim)));
  }
  return outcomes;
}

/** The worker may still be spending, so its last reported cost is no upper bound: its reservation counts (P8). */
function lost({ task, step, attempt }: ClaimRef): WorkOutcome {
  if (step === undefined) return { type: 'check.lost', task, attempt };
  return { type: 'step.lost', task, step, attempt, spend: UNKNOWN };
}

/** When the first lease expires, unless a message of its host arrives before. */
export function leaseEnd({ hosts }: Dispatcher): number | undefined {
  const times = [...hosts.values()].map(({ heardAt }) => heardAt + LEASE_MS);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** A claim that is owed: to be executed, or to be stopped. */
export interface OwedClaim {
  readonly claim: ClaimRef;
  readonly isToStop: boolean;
}

export type Assigned =
  | { readonly type: 'assigned'; readonly assignment: Assignment }
  | { readonly type: 'refused'; readonly outcome: WorkOutcome };

export interface HostReply {
  readonly host: string;
  readonly reply: Reply;
}

export type Dispatched =
  | { readonly type: 'dispatched'; readonly replies: readonly HostReply[] }
  /** Some claims cannot be assigned to any host: nothing is sent before those outcomes have been decided. */
  | { readonly type: 'refused'; readonly outcomes: readonly WorkOutcome[] };

/** Whether there is a message to answer. */
export const isAnyHostWaiting = ({ hosts }: Dispatcher): boolean =>
  hosts.values().some(({ open }) => open !== undefined);

/** Replies to every host for which there is something to send: claims to start and claims to cancel. */
export function dispatch(
  dispatcher: Dispatcher,
  owed: readonly OwedClaim[],
  assign: (claim: ClaimRef) => Assigned,
): Dispatched {
  const byKey = new Map(owed.map((each) => [claimKey(each.claim), each]));
  const isToEnd = (claim: ClaimRef): boolean => byKey.get(claimKey(claim))?.isToStop ?? true;
  const heldBy = holders(dispatcher);
  const refused: WorkOutcome[] = [];
  const answered = new Map<string, Host>();
  const replies = [...dispatcher.hosts].flatMap(([host, known]): HostReply[] => {
    const { open } = known;
    if (open === undefined) return [];
    const toEnd = open.held.map(({ claim }) => claim).filter(isToEnd);
    const orphans = [...byKey].filter(([key, { isToStop }]) => !heldBy.has(key) && isToStop);
    const cancel = [...toEnd, ...orphans.map(([, { claim }]) => claim)];
    const isFree = open.held.every(({ claim }) => byKey.has(claimKey(claim)));
    const start: Assignment[] = [];
    for (const [key, { claim, isToStop }] of isFree ? byKey : []) {
      if (start.length >= open.want) break;
      if (heldBy.has(key) || isToStop) continue;
      heldBy.set(key, host);
      const assigned = assign(claim);
      if (assigned.type === 'assigned') start.push(assigned.assignment);
      else refused.push(assigned.outcome);
    }
    if (start.length === 0 && cancel.length === 0 && open.done.length === 0) return [];
    // Until its next message the host counts as holding the claims of this reply. If the reply is lost, the next
    // message does not list them, and they are offered again (sync/H1).
    const given = start.map(({ claim }): Held => ({ claim, spend: UNKNOWN }));
    answered.set(host, { ...known, open: undefined, latest: { ...open, held: [...open.held, ...given] } });
    return [{ host, reply: { number: open.number, start, cancel } }];
  });
  if (refused.length > 0) return { type: 'refused', outcomes: refused };
  for (const [host, known] of answered) dispatcher.hosts.set(host, known);
  return { type: 'dispatched', replies };
}

const UNKNOWN: Spend = { usd: undefined, tokens: undefined };

function holders({ hosts }: Dispatcher): Map<string, string> {
  const heldBy = new Map<string, string>();
  for (const [host, { latest }] of hosts) for (const { claim } of latest.held) heldBy.set(claimKey(claim), host);
  return heldBy;
}
