// The replies to the hosts that wait: claims to start and claims to cancel, each claim for the host that suits it best. The
// invariants are the dispatcher's.
import { claimKey, type Assignment, type ClaimRef } from './assignment.ts';
import { chooseHost, isGoing, placeName, type HostCandidate } from './choose-host.ts';
import {
  holders,
  lost,
  SPEND_UNKNOWN,
  type Dispatcher,
  type HostClaim,
  type KnownHost,
  type OwedClaim,
} from './dispatcher.ts';
import type { MovedConversation, Placeable, Placement, Rooms } from './placement.ts';
import type { Spend } from './result.ts';
import type { Reply, Sync } from './sync.ts';
import type { WorkOutcome } from './work-outcome.ts';

export type Assigned =
  | {
      readonly type: 'assigned';
      readonly assignment: Assignment;
      /** Set when the conversation of the turn is on another machine. */
      readonly conversation?: MovedConversation | undefined;
    }
  | { readonly type: 'refused'; readonly outcome: WorkOutcome };

export interface HostReply {
  readonly host: string;
  readonly reply: Reply;
}

export type Dispatched =
  | {
      readonly type: 'dispatched';
      readonly replies: readonly HostReply[];
      /** To be logged before the replies are sent. */
      readonly placements: readonly Placement[];
    }
  /** Some claims cannot be assigned to any host: nothing is sent before those outcomes have been decided. */
  | { readonly type: 'refused'; readonly outcomes: readonly WorkOutcome[] };

export interface Assigning {
  /** `host` is undefined for the coordinator's machine. */
  readonly assign: (claim: ClaimRef, host: string | undefined) => Assigned;
  readonly needsOf: (claim: ClaimRef) => Placeable;
  /** Undefined where no other run has claims on these hosts. */
  readonly rooms?: Rooms | undefined;
}

/** Replies to every host for which there is something to send. */
export function answerHosts(dispatcher: Dispatcher, owed: readonly OwedClaim[], assigning: Assigning): Dispatched {
  const dispatching = open(dispatcher, owed, assigning);
  for (const [key, each] of dispatching.owed) if (!dispatching.heldBy.has(key)) offer(dispatching, key, each);
  const orphans = orphansIn(dispatching);
  const replies = [...dispatcher.hosts.values()].flatMap(({ open: sync }) =>
    sync !== undefined && isWithin(assigning.rooms, sync) ? replyTo(dispatching, sync, orphans) : [],
  );
  if (dispatching.refused.length > 0) return { type: 'refused', outcomes: dispatching.refused };
  for (const { host, reply } of replies) noteAnswered(dispatcher, host, reply);
  return { type: 'dispatched', replies, placements: dispatching.placements };
}

interface Dispatching extends Assigning {
  /** Of hosts on other machines. */
  readonly leaseMs: number;
  /** By claim, in the order in which claims are offered. */
  readonly owed: ReadonlyMap<string, OwedClaim>;
  /** By claim, the host that holds it, by the replies so far. */
  readonly heldBy: Map<string, string>;
  readonly candidates: readonly HostCandidate[];
  readonly hasRemote: boolean;
  /** By task, the host of its claims, merges aside; only where there are several hosts (dispatcher/K9). */
  readonly hostOfTask: Map<string, string>;
  /** The host that has the merges. */
  merger: string | undefined;
  readonly starts: Map<string, Assignment[]>;
  readonly placements: Placement[];
  readonly refused: WorkOutcome[];
}

function open(dispatcher: Dispatcher, claims: readonly OwedClaim[], assigning: Assigning): Dispatching {
  const owed = new Map(claims.map((each) => [claimKey(each.claim), each]));
  const heldBy = holders(dispatcher);
  const hosts = [...dispatcher.hosts.values()];
  const candidates = hosts.map(({ open: sync, latest, holds }): HostCandidate => ({
    sync: latest,
    hasWidth: latest.isRemote === true || latest.want > 0 || holds.some(({ claim }) => claim.work !== 'merge'),
    // It must end first what is over (dispatcher/K2). What is another's it is told to end beside other work.
    isFree: isWithin(assigning.rooms, latest) && (sync?.held.every(({ claim }) => owed.has(claimKey(claim))) ?? false),
    left: Math.min(latest.want, assigning.rooms?.get(latest.host) ?? Infinity),
    isUnable: dispatcher.unable.has(latest.host),
  }));
  const hostOfTask = new Map<string, string>();
  if (hosts.length > 1)
    for (const [key, { claim, host: placedOn }] of owed) {
      // A claim whose offer was lost is with its host already: it is offered there again.
      const host = claim.work === 'merge' ? undefined : (heldBy.get(key) ?? placedOn);
      if (host !== undefined) hostOfTask.set(claim.task, host);
    }
  return {
    ...assigning,
    leaseMs: dispatcher.leaseMs,
    owed,
    heldBy,
    candidates,
    hasRemote: hosts.some(({ latest }) => latest.isRemote === true),
    hostOfTask,
    merger: mergerOf(hosts),
    starts: new Map(),
    placements: [],
    refused: [],
  };
}

/** Whether the host can be told anything now. The host inside the coordinator always can. */
const isWithin = (rooms: Rooms | undefined, { host, isRemote }: Sync): boolean =>
  isRemote !== true || rooms === undefined || rooms.has(host);

/** The host that holds merges (dispatcher/K4). */
const mergerOf = (hosts: readonly KnownHost[]): string | undefined =>
  hosts.find(({ holds }) => holds.some(({ claim }) => claim.work === 'merge'))?.latest.host;

/** Finds a host for a claim that no host holds. */
function offer(dispatching: Dispatching, key: string, each: OwedClaim): void {
  const { claim, isToStop, host } = each;
  if (claim.work === 'merge') return offerMerge(dispatching, key, claim);
  if (host !== undefined && dispatching.candidates.every(({ sync }) => sync.host !== host))
    return void dispatching.refused.push(lost(claim));
  if (isToStop) return dropOrphan(dispatching, each);
  if (host === undefined) place(dispatching, key, each);
  else offerAgain(dispatching, key, { claim, host });
}

/** Merges are for the host inside the coordinator, which has the integration repository. */
function offerMerge(dispatching: Dispatching, key: string, claim: ClaimRef): void {
  const { candidates, merger } = dispatching;
  const taker = candidates.find(
    ({ sync, isFree }) =>
      isFree && sync.isRemote !== true && sync.does.includes('merge') && (merger ?? sync.host) === sync.host,
  );
  if (taker !== undefined && give(dispatching, key, { claim, taker }) !== undefined)
    dispatching.merger = taker.sync.host;
}

/** A claim to be stopped that no host can have begun is stopped: nobody is there to say so (dispatcher/K1). */
function dropOrphan({ candidates, refused }: Dispatching, { claim, host }: OwedClaim): void {
  const mayHaveIt = ({ sync }: HostCandidate): boolean =>
    host === undefined
      ? sync.isRemote !== true && sync.does.includes(claim.work)
      : sync.host === host && sync.isLeaving !== true;
  if (!candidates.some(mayHaveIt)) refused.push(neverBegun(claim));
}

/** The reply that placed the claim was lost (dispatcher/K6). */
function offerAgain(dispatching: Dispatching, key: string, { claim, host }: { claim: ClaimRef; host: string }): void {
  const taker = dispatching.candidates.find(({ sync }) => sync.host === host);
  if (taker?.isFree !== true) return;
  const { sync, left } = taker;
  if (left > 0 && !isGoing(sync) && sync.does.includes(claim.work)) give(dispatching, key, { claim, taker });
  else dispatching.refused.push(neverBegun(claim));
}

function place(dispatching: Dispatching, key: string, { claim, waitsFor }: OwedClaim): void {
  const { candidates, hasRemote, hostOfTask, placements } = dispatching;
  // On one machine a claim waits for room like any other work, which is nothing to note.
  if (!hasRemote && candidates.every(({ isFree, left }) => !isFree || left <= 0)) return;
  const beside = hostOfTask.get(claim.task);
  const choice = chooseHost(candidates, { work: claim.work, needs: dispatching.needsOf(claim), beside });
  if (choice.type === 'none') {
    const { why, isFull } = choice;
    if (isFull && waitsFor !== why) placements.push({ type: 'waiting', claim, why });
    return;
  }
  const { candidate: taker, why } = choice;
  const given = give(dispatching, key, { claim, taker });
  if (given === undefined) return;
  hostOfTask.set(claim.task, taker.sync.host);
  const host = placeName(taker.sync);
  const { conversation, assignment } = given;
  const { leaseMs } = assignment;
  if (host !== undefined || waitsFor !== undefined || conversation !== undefined)
    placements.push({ type: 'placed', claim, host, why, instance: taker.sync.instance, conversation, leaseMs });
}

/** Undefined when the claim could not be assigned. */
function give(
  dispatching: Dispatching,
  key: string,
  { claim, taker }: { readonly claim: ClaimRef; readonly taker: HostCandidate },
): Extract<Assigned, { type: 'assigned' }> | undefined {
  const { heldBy, assign, starts, refused } = dispatching;
  const { host } = taker.sync;
  heldBy.set(key, host);
  const assigned = assign(claim, placeName(taker.sync));
  if (assigned.type === 'refused') {
    refused.push(assigned.outcome);
    return undefined;
  }
  const leaseMs = taker.sync.isRemote === true ? leaseOf(dispatching, key, claim) : undefined;
  const assignment = leaseMs === undefined ? assigned.assignment : { ...assigned.assignment, leaseMs };
  const start = starts.get(host);
  if (start === undefined) starts.set(host, [assignment]);
  else start.push(assignment);
  if (claim.work !== 'merge') taker.left -= 1;
  return { ...assigned, assignment };
}

/** A claim that is offered again has the lease that the log knows of. */
function leaseOf({ needsOf, owed, leaseMs }: Dispatching, key: string, claim: ClaimRef): number | undefined {
  const known = owed.get(key);
  if (known?.host !== undefined) return known.leaseMs;
  return needsOf(claim).endsCutOff ? leaseMs : undefined;
}

/** By the host that the log places it on: claims to be stopped that no host holds. */
type Orphans = ReadonlyMap<string | undefined, readonly ClaimRef[]>;

/** Found once for all hosts, of which there may be hundreds. */
function orphansIn({ owed, heldBy }: Dispatching): Orphans {
  const orphans = new Map<string | undefined, ClaimRef[]>();
  for (const [key, { claim, isToStop, host }] of owed) {
    if (!isToStop || claim.work === 'merge' || heldBy.has(key)) continue;
    const known = orphans.get(host);
    if (known === undefined) orphans.set(host, [claim]);
    else known.push(claim);
  }
  return orphans;
}

function replyTo(dispatching: Dispatching, sync: Sync, orphans: Orphans): readonly HostReply[] {
  const { host, number, done, does, isRemote } = sync;
  const start = dispatching.starts.get(host) ?? [];
  const left = orphans.get(isRemote === true ? host : undefined) ?? [];
  const cancel = [...cancelsFor(dispatching, sync, start), ...left.filter(({ work }) => does.includes(work))];
  if (start.length === 0 && cancel.length === 0 && done.length === 0) return [];
  return [{ host, reply: { number, start, cancel } }];
}

/** Claims for a host to end, of those that it holds or begins with this reply. */
function cancelsFor({ owed, heldBy }: Dispatching, { host, held }: Sync, start: readonly Assignment[]): ClaimRef[] {
  const isToEnd = (claim: ClaimRef): boolean => {
    const key = claimKey(claim);
    return (owed.get(key)?.isToStop ?? true) || heldBy.get(key) !== host;
  };
  return [...held, ...start].map(({ claim }) => claim).filter(isToEnd);
}

/**
 * Until its next message the host counts as holding the claims of its reply. If the reply is lost, the next message does
 * not list them, and they are offered again (sync/H1).
 */
function noteAnswered({ hosts }: Dispatcher, host: string, { start }: Reply): void {
  const known = hosts.get(host);
  if (known === undefined) return;
  const { instance } = known.latest;
  const given = start.map(({ claim }): HostClaim => ({ claim, spend: SPEND_UNKNOWN, instance }));
  const taken = start.filter(({ claim }) => claim.work !== 'merge').length;
  const latest = { ...known.latest, want: known.latest.want - taken };
  hosts.set(host, { ...known, open: undefined, latest, holds: [...known.holds, ...given] });
}

const NOTHING: Spend = { usd: 0, tokens: 0 };

const neverBegun = (claim: ClaimRef): WorkOutcome => ({ type: 'stopped', ...claim, spend: NOTHING });
