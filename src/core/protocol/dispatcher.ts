// The dispatcher: which host holds which claim, and the messages to each host. Its state is rebuilt from the next
// messages of the hosts, so a restarted coordinator starts with an empty dispatcher.
//
// dispatcher/K1. A claim is offered to one host at a time: not while another host holds it, and to no host once it is
//   to be stopped. A merge that is to be stopped is offered all the same, together with its cancellation: only a look at
//   the run branch tells whether it is merged already.
// dispatcher/K2. A host that still holds a claim which is no longer owed gets nothing new until that claim is gone;
//   otherwise two attempts of one step could run at once and oversubscribe their pools.
// dispatcher/K3. Each message is answered at most once, and only when there is something to send: a host without a
//   reply waits.
// dispatcher/K4. All merges of a run are with one host at a time, because one merge queue builds one chain: with the host
//   that holds one, else with a host that does merges.
// dispatcher/K5. Of two hosts that list one claim the first holds it, as when a host speaks again after its lease. The
//   other is told to end the claim, and its report counts only when the claim finished.
//
// Limit: a claim of a host that has not spoken since the coordinator started is offered to any other host that does such
// work. A merge is safe from that, because its queue takes the fence of the run branch. When several hosts do steps, let
// the first lease pass before claims of an earlier coordinator are offered.
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
    outcomes.push(...sync.done.filter((outcome) => !isOvertaken(dispatcher, sync.host, outcome)));
    if (known !== undefined && known.latest.number >= sync.number) continue;
    dispatcher.hosts.set(sync.host, { open: sync, latest: sync, heardAt: at });
    outcomes.push(...spendingOf(sync, known?.latest));
  }
  return outcomes;
}

/** Whether another host holds the claim, and this host does not carry it out any more (dispatcher/K5). */
function isOvertaken(dispatcher: Dispatcher, host: string, outcome: WorkOutcome): boolean {
  if (dispatcher.hosts.size < 2 || outcome.type === 'finished') return false;
  return (holders(dispatcher).get(claimKey(outcome)) ?? host) !== host;
}

/** Costs of running claims that have changed since the host's latest message. */
function spendingOf(sync: Sync, earlier: Sync | undefined): readonly WorkOutcome[] {
  const before = new Map(earlier?.held.map(({ claim, spend }) => [claimKey(claim), spend]));
  return sync.held.flatMap(({ claim, spend }): WorkOutcome[] => {
    const known = before.get(claimKey(claim));
    const isNews = spend.usd !== known?.usd || spend.tokens !== known?.tokens;
    const isKnown = spend.usd !== undefined || spend.tokens !== undefined;
    return isNews && isKnown ? [{ type: 'spending', ...claim, spend }] : [];
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
const lost = (claim: ClaimRef): WorkOutcome => ({ type: 'lost', ...claim, spend: UNKNOWN });

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
  const dispatching: Dispatching = {
    owed: new Map(owed.map((each) => [claimKey(each.claim), each])),
    heldBy: holders(dispatcher),
    merger: mergerOf(dispatcher),
    assign,
    refused: [],
  };
  const answered = new Map<string, Host>();
  const replies = [...dispatcher.hosts].flatMap(([host, known]): HostReply[] => {
    const { open } = known;
    if (open === undefined) return [];
    const start = startsFor(dispatching, open);
    const cancel = cancelsFor(dispatching, open, start);
    if (start.length === 0 && cancel.length === 0 && open.done.length === 0) return [];
    // Until its next message the host counts as holding the claims of this reply. If the reply is lost, the next
    // message does not list them, and they are offered again (sync/H1).
    const given = start.map(({ claim }): Held => ({ claim, spend: UNKNOWN }));
    answered.set(host, { ...known, open: undefined, latest: { ...open, held: [...open.held, ...given] } });
    return [{ host, reply: { number: open.number, start, cancel } }];
  });
  if (dispatching.refused.length > 0) return { type: 'refused', outcomes: dispatching.refused };
  for (const [host, known] of answered) dispatcher.hosts.set(host, known);
  return { type: 'dispatched', replies };
}

interface Dispatching {
  /** By claim, in the order in which claims are offered. */
  readonly owed: ReadonlyMap<string, OwedClaim>;
  /** By claim, the host that holds it, by the replies so far. */
  readonly heldBy: Map<string, string>;
  /** The host that has the merges. */
  merger: string | undefined;
  readonly assign: (claim: ClaimRef) => Assigned;
  readonly refused: WorkOutcome[];
}

/** Claims for a host to begin: as many as it wants, and every merge that no host holds. */
function startsFor(dispatching: Dispatching, { host, held, want, does }: Sync): Assignment[] {
  const { owed, heldBy, assign, refused } = dispatching;
  const isFree = held.every(({ claim }) => owed.has(claimKey(claim)));
  const start: Assignment[] = [];
  let left = want;
  for (const [key, { claim, isToStop }] of isFree ? owed : []) {
    const isMerge = claim.work === 'merge';
    const mayTake = isMerge ? (dispatching.merger ?? host) === host : left > 0 && !isToStop;
    if (!mayTake || !does.includes(claim.work) || heldBy.has(key)) continue;
    heldBy.set(key, host);
    const assigned = assign(claim);
    if (assigned.type === 'refused') {
      refused.push(assigned.outcome);
      continue;
    }
    start.push(assigned.assignment);
    if (isMerge) dispatching.merger = host;
    else left -= 1;
  }
  return start;
}

/** Claims for a host to end: of those that it holds, or begins with this reply, and of those that no host holds. */
function cancelsFor(
  { owed, heldBy }: Dispatching,
  { host, held, does }: Sync,
  start: readonly Assignment[],
): ClaimRef[] {
  const isToEnd = (claim: ClaimRef): boolean =>
    (owed.get(claimKey(claim))?.isToStop ?? true) || heldBy.get(claimKey(claim)) !== host;
  const heldOrBegun = [...held, ...start].map(({ claim }) => claim);
  const orphans = [...owed].filter(
    ([key, { claim, isToStop }]) => isToStop && !heldBy.has(key) && claim.work !== 'merge',
  );
  return [
    ...heldOrBegun.filter(isToEnd),
    ...orphans.map(([, { claim }]) => claim).filter(({ work }) => does.includes(work)),
  ];
}

const UNKNOWN: Spend = { usd: undefined, tokens: undefined };

/** By claim, the host that holds it; of two the first (dispatcher/K5). */
function holders({ hosts }: Dispatcher): Map<string, string> {
  const heldBy = new Map<string, string>();
  for (const [host, { latest }] of hosts)
    for (const { claim } of latest.held) if (!heldBy.has(claimKey(claim))) heldBy.set(claimKey(claim), host);
  return heldBy;
}

/** The host that holds merges (dispatcher/K4). */
const mergerOf = ({ hosts }: Dispatcher): string | undefined =>
  hosts.entries().find(([, { latest }]) => latest.held.some(({ claim }) => claim.work === 'merge'))?.[0];
