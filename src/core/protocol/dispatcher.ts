// The dispatcher: which host holds which claim, and the messages to each host. Its state is rebuilt from the log, which
// says where claims were placed, and from the next messages of the hosts.
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
// dispatcher/K6. A claim that was placed on another machine stays with it, also over a restart of the coordinator: the log
//   says where it is. It is offered to that host again when an offer was lost, returned when that host cannot take it any
//   more, and lost when that host has been silent for a whole lease, forgot a claim that it had, or is the next program in
//   the home of that one and does not know the claim.
// dispatcher/K7. Claims of an earlier coordinator that were not placed belong to the host inside the coordinator: until
//   that host has spoken, for one lease, no other host is offered them.
// dispatcher/K8. A host on another machine reports only on claims that the log places there. Anything else that it says of a
//   claim has no effect and is returned as refused.
// dispatcher/K9. Claims of one task are with one host at a time, because they share the sandbox of the task.
// dispatcher/K10. A host that has left is remembered for a lease, so that an earlier message of it, which arrives late, does
//   not bring it back.
// dispatcher/K11. No claim is lost before the lease that its host was told has ended since the host was last heard: until then
//   it may be at work there, in its pools. So the claims of a program that another one in another home has replaced stay its
//   own until then, and no lease is shorter than that of an earlier coordinator.
import { claimKey, type ClaimRef } from './assignment.ts';
import type { RefusedReport, WaitsForHost } from './placement.ts';
import type { Spend } from './result.ts';
import type { Held, Sync } from './sync.ts';
import { isOfMachine, type WorkOutcome } from './work-outcome.ts';

/** A host that is silent for this long is declared lost, together with its claims. */
export const LEASE_MS = 90_000;

/** A claim of a host, and the program of the host that has it. */
export interface HostClaim extends Held {
  readonly instance: string | undefined;
}

export interface KnownHost {
  /** The latest message, until it is answered. */
  readonly open: Sync | undefined;
  /** With the room that is left after the claims that it was given since. */
  readonly latest: Sync;
  /** Its claims: those that it listed, and those that it was given since. */
  readonly holds: readonly HostClaim[];
  readonly listed: readonly Held[];
  readonly heardAt: number;
}

export interface Dispatcher {
  readonly hosts: Map<string, KnownHost>;
  /** Of hosts on other machines. */
  readonly leaseMs: number;
  /** Hosts that could not begin the claim that they reported last. */
  readonly unable: Set<string>;
  /** Programs that another one with their name has replaced, by their instances (dispatcher/K11). */
  readonly replaced: Map<string, Replaced>;
}

/** A program that may still be at work. */
interface Replaced {
  readonly host: string;
  readonly holds: readonly HostClaim[];
  readonly heardAt: number;
}

/** Where the log places a claim: undefined on the coordinator's machine or not yet; `over` when there is no such claim. */
export type PlacedOn = (claim: ClaimRef) => { readonly host: string | undefined } | 'over';

/** Stands for the host inside the coordinator until that host speaks (dispatcher/K7). No host has an empty name. */
const EMBEDDED = '';

/** Hosts that held claims under an earlier coordinator count as just heard, so that each has a lease to speak again. */
export function startDispatcher(owed: readonly OwedClaim[] = [], at = 0, leaseMs = LEASE_MS): Dispatcher {
  const hosts = new Map<string, KnownHost>();
  for (const [host, claims] of Map.groupBy(owed, (each) => each.host ?? EMBEDDED)) {
    const holds = claims.map(({ claim, instance }): HostClaim => ({ claim, spend: SPEND_UNKNOWN, instance }));
    const latest = { host, number: 0, done: [], held: [], want: 0, does: [], isRemote: host !== EMBEDDED };
    hosts.set(host, { open: undefined, latest, holds, listed: [], heardAt: at });
  }
  const told = Math.max(leaseMs, ...owed.map((each) => each.leaseMs ?? 0));
  return { hosts, leaseMs: told, unable: new Set(), replaced: new Map() };
}

export interface Received {
  readonly outcomes: readonly WorkOutcome[];
  readonly refused: readonly RefusedReport[];
}

/** Receives messages, at a time that never goes back, and returns the outcomes that they report. */
export function receive(
  dispatcher: Dispatcher,
  syncs: readonly Sync[],
  { at, placedOn }: { readonly at: number; readonly placedOn: PlacedOn },
): Received {
  const outcomes: WorkOutcome[] = [];
  const refused: RefusedReport[] = [];
  for (const sync of syncs) {
    if (sync.isRemote !== true) releaseEmbedded(dispatcher, sync);
    const known = dispatcher.hosts.get(sync.host);
    const isForeign = foreignTo(sync, placedOn);
    // Messages may arrive out of order. An outcome in an old message is still a fact; its list of claims is outdated.
    for (const outcome of sync.done)
      if (isForeign(outcome)) refused.push({ host: sync.host, claim: refOf(outcome), reported: outcome.type });
      else if (!isOvertaken(dispatcher, sync.host, outcome)) {
        noteAble(dispatcher, sync.host, outcome);
        outcomes.push(outcome);
      }
    if (known !== undefined && isSameInstance(known.latest, sync) && known.latest.number >= sync.number) continue;
    const held = sync.held.filter(({ claim }) => !isForeign(claim));
    for (const { claim } of newlyListed(sync, known))
      if (isForeign(claim)) refused.push({ host: sync.host, claim, reported: 'held' });
    dispatcher.hosts.set(sync.host, {
      open: sync,
      latest: sync,
      holds: holdingsOf(held, sync),
      listed: held,
      heardAt: at,
    });
    const forgotten = forgottenBy(sync, known);
    if (known !== undefined) keepReplaced(dispatcher, sync, { ...known, holds: forgotten.filter(isElsewhere(sync)) });
    const lostHere = forgotten.filter((each) => !isElsewhere(sync)(each)).map(({ claim }) => lost(claim));
    outcomes.push(...spendingOf({ ...sync, held }, known?.latest), ...lostHere);
  }
  return { outcomes, refused };
}

/** Whether the claim was given to a program of which this one, in another home, knows nothing. */
const isElsewhere =
  ({ instance, follows = [] }: Sync) =>
  (held: HostClaim): boolean =>
    held.instance !== undefined && held.instance !== instance && !follows.includes(held.instance);

function keepReplaced({ replaced }: Dispatcher, { host }: Sync, { holds, heardAt }: Omit<Replaced, 'host'>): void {
  for (const [instance, ofInstance] of Map.groupBy(holds, (each) => each.instance))
    if (instance !== undefined) replaced.set(instance, { host, holds: ofInstance, heardAt });
}

function noteAble({ unable }: Dispatcher, host: string, outcome: WorkOutcome): void {
  if (isOfMachine(outcome)) unable.add(host);
  else unable.delete(host);
}

const holdingsOf = (held: readonly Held[], { instance }: Sync): readonly HostClaim[] =>
  held.map(({ claim, spend }) => ({ claim, spend, instance }));

/** The host inside the coordinator speaks for the claims of its kinds of work (dispatcher/K7). */
function releaseEmbedded({ hosts }: Dispatcher, { does }: Sync): void {
  const embedded = hosts.get(EMBEDDED);
  if (embedded === undefined) return;
  const holds = embedded.holds.filter(({ claim }) => !does.includes(claim.work));
  if (holds.length === 0) hosts.delete(EMBEDDED);
  else hosts.set(EMBEDDED, { ...embedded, holds });
}

const isSameInstance = (one: Sync, other: Sync): boolean =>
  one.instance === other.instance || (one.number === 0 && one.instance === undefined);

const refOf = ({ work, task, step, attempt }: ClaimRef): ClaimRef => ({ work, task, step, attempt });

/** Whether a claim is another host's, or no host's, by the log. A claim that is over is nobody's business any more. */
function foreignTo({ host, isRemote }: Sync, placedOn: PlacedOn): (claim: ClaimRef) => boolean {
  if (isRemote !== true) return () => false;
  return (claim) => {
    const placed = placedOn(claim);
    return placed !== 'over' && placed.host !== host;
  };
}

function newlyListed({ held }: Sync, known: KnownHost | undefined): readonly Held[] {
  const before = new Set(known?.latest.held.map(({ claim }) => claimKey(claim)));
  return held.filter(({ claim }) => !before.has(claimKey(claim)));
}

/** Claims that a host on another machine had, or may have begun, and neither has nor reports (dispatcher/K6). */
function forgottenBy(sync: Sync, known: KnownHost | undefined): readonly HostClaim[] {
  if (sync.isRemote !== true || known === undefined) return [];
  const still = new Set([...sync.held.map(({ claim }) => claim), ...sync.done].map(claimKey));
  const listed = new Set(known.listed.map(({ claim }) => claimKey(claim)));
  return known.holds
    .filter(({ claim }) => !still.has(claimKey(claim)))
    .filter(({ claim, instance }) => instance !== sync.instance || listed.has(claimKey(claim)));
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
  for (const [name, host] of dispatcher.hosts) {
    if (at < endOfLease(dispatcher, host)) continue;
    dispatcher.hosts.delete(name);
    outcomes.push(...host.holds.map(({ claim }) => lost(claim)));
  }
  for (const [instance, { holds, heardAt }] of dispatcher.replaced) {
    if (at < heardAt + dispatcher.leaseMs) continue;
    dispatcher.replaced.delete(instance);
    outcomes.push(...holds.map(({ claim }) => lost(claim)));
  }
  return outcomes;
}

/** The host inside the coordinator knows nothing of a lease that a server was given for the others. */
const endOfLease = ({ leaseMs }: Dispatcher, { heardAt, latest }: KnownHost): number =>
  heardAt + (latest.isRemote === true ? leaseMs : LEASE_MS);

/** The worker may still be spending, so its last reported cost is no upper bound: its reservation counts (P8). */
export const lost = (claim: ClaimRef): WorkOutcome => ({ type: 'lost', ...claim, spend: SPEND_UNKNOWN });

/** When the first lease expires, unless a message of its host arrives before. */
export function leaseEnd(dispatcher: Dispatcher): number | undefined {
  const times = [
    ...[...dispatcher.hosts.values()].map((host) => endOfLease(dispatcher, host)),
    ...[...dispatcher.replaced.values()].map(({ heardAt }) => heardAt + dispatcher.leaseMs),
  ];
  return times.length === 0 ? undefined : Math.min(...times);
}

/** A claim that is owed: to be executed, or to be stopped. */
export interface OwedClaim {
  readonly claim: ClaimRef;
  readonly isToStop: boolean;
  /** The host on another machine that the log places it on. */
  readonly host?: string | undefined;
  /** The program of that host. */
  readonly instance?: string | undefined;
  /** The lease that it was given, where it ends on a host that is cut off. */
  readonly leaseMs?: number | undefined;
  /** Why it waits for a host, as far as the log says. */
  readonly waitsFor?: WaitsForHost | undefined;
}

export const SPEND_UNKNOWN: Spend = { usd: undefined, tokens: undefined };

/** By claim, the host that holds it; of two the first (dispatcher/K5). A replaced program is known by its instance. */
export function holders({ hosts, replaced }: Dispatcher): Map<string, string> {
  const heldBy = new Map<string, string>();
  for (const [holder, { holds }] of [...hosts, ...replaced])
    for (const { claim } of holds) if (!heldBy.has(claimKey(claim))) heldBy.set(claimKey(claim), holder);
  return heldBy;
}

/** Whether there is a message to answer. */
export const isAnyHostWaiting = ({ hosts }: Dispatcher): boolean =>
  hosts.values().some(({ open }) => open !== undefined);
