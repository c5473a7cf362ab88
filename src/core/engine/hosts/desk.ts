// Where hosts report and are told what to do: who holds which claim, and what to reply. All of it is memory that the
// next messages of the hosts rebuild, so a coordinator that starts again starts with an empty desk.
//
// K1. A claim is offered to one host at a time: not while another holds it, and to nobody once it is to be stopped.
// K2. A host that still holds what is not owed any more gets nothing new until that is gone; else two attempts of one
//     step could be at work together, and pools with them.
// K3. Each message is answered at most once, and only when there is something to say: a host that hears nothing waits.
import { claimKey, type Assignment, type ClaimRef } from './assignment.ts';
import type { Assigned } from './assign.ts';
import type { Spend } from '../event.ts';
import { taskAt } from '../facts.ts';
import type { Claim, State } from '../state.ts';
import type { Held, Reply, Sync, WorkOutcome } from './sync.ts';

/** A host that has been silent for this long is taken to be gone, and what it held to be lost. */
export const LEASE_MS = 90_000;

interface Host {
  /** The latest message, until it is answered. */
  readonly open: Sync | undefined;
  readonly latest: Sync;
  readonly heardAt: number;
}

export interface Desk {
  readonly hosts: Map<string, Host>;
}

export const openDesk = (): Desk => ({ hosts: new Map() });

/** Takes the messages that have come, at a time that never goes back, and says what they report. */
export function hear(desk: Desk, syncs: readonly Sync[], at: number): readonly WorkOutcome[] {
  const outcomes: WorkOutcome[] = [];
  for (const sync of syncs) {
    const known = desk.hosts.get(sync.host);
    // Messages may overtake each other. What an old one reports is still a fact; what it says it holds is not.
    outcomes.push(...sync.done);
    if (known !== undefined && known.latest.number >= sync.number) continue;
    desk.hosts.set(sync.host, { open: sync, latest: sync, heardAt: at });
    outcomes.push(...spendingOf(sync, known?.latest));
  }
  return outcomes;
}

/** Live cost that has changed since the host last spoke. */
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

/** What hosts held that have been silent for a whole lease. They are forgotten, and may come back as if new. */
export function expire(desk: Desk, at: number): readonly WorkOutcome[] {
  const outcomes: WorkOutcome[] = [];
  for (const [name, { latest, heardAt }] of desk.hosts) {
    if (at - heardAt < LEASE_MS) continue;
    desk.hosts.delete(name);
    outcomes.push(...latest.held.map(({ claim }) => lost(claim)));
  }
  return outcomes;
}

/** Its worker may be spending still, so what it was last known to have spent is no bound: its reservation counts (P8). */
function lost({ task, step, attempt }: ClaimRef): WorkOutcome {
  if (step === undefined) return { type: 'check.lost', task, attempt };
  return { type: 'step.lost', task, step, attempt, spend: UNKNOWN };
}

/** When the first lease runs out, unless its host speaks before. */
export function leaseEnd({ hosts }: Desk): number | undefined {
  const times = [...hosts.values()].map(({ heardAt }) => heardAt + LEASE_MS);
  return times.length === 0 ? undefined : Math.min(...times);
}

export interface Telling {
  readonly host: string;
  readonly reply: Reply;
}

export interface Told {
  readonly replies: readonly Telling[];
  /** Claims that nobody can be given, as outcomes to decide on. */
  readonly refused: readonly WorkOutcome[];
}

/** Replies to every host that is to hear something, from what the state owes. */
export function tell(desk: Desk, state: State, assign: (claim: ClaimRef) => Assigned): Told {
  const wanted = [...state.claims.values()].filter(({ type }) => type !== 'merge');
  const byKey = new Map(wanted.map((claim) => [claimKey(refOf(state, claim)), claim]));
  const heldBy = holders(desk);
  const refused: WorkOutcome[] = [];
  const replies = [...desk.hosts].flatMap(([host, known]): Telling[] => {
    const { open } = known;
    if (open === undefined) return [];
    const toEnd = open.held.filter(({ claim }) => isToEnd(byKey.get(claimKey(claim)))).map(({ claim }) => claim);
    const orphans = [...byKey].filter(([key, claim]) => !heldBy.has(key) && isToEnd(claim));
    const cancel = [...toEnd, ...orphans.map(([, claim]) => refOf(state, claim))];
    const isFree = open.held.every(({ claim }) => byKey.has(claimKey(claim)));
    const start: Assignment[] = [];
    for (const [key, claim] of isFree ? byKey : []) {
      if (start.length >= open.want) break;
      if (heldBy.has(key) || isToEnd(claim)) continue;
      heldBy.set(key, host);
      const assigned = assign(refOf(state, claim));
      if (assigned.type === 'assigned') start.push(assigned.assignment);
      else refused.push(assigned.outcome);
    }
    if (start.length === 0 && cancel.length === 0 && open.done.length === 0) return [];
    // Until the host speaks again it is taken to hold what it was just given; should the reply be lost, its next
    // message will not list it, and it is offered again (H1).
    const given = start.map(({ claim }): Held => ({ claim, spend: UNKNOWN }));
    desk.hosts.set(host, { ...known, open: undefined, latest: { ...open, held: [...open.held, ...given] } });
    return [{ host, reply: { number: open.number, start, cancel } }];
  });
  return { replies, refused };
}

const UNKNOWN: Spend = { usd: undefined, tokens: undefined };

function holders(desk: Desk): Map<string, string> {
  const heldBy = new Map<string, string>();
  for (const [host, { latest }] of desk.hosts) for (const { claim } of latest.held) heldBy.set(claimKey(claim), host);
  return heldBy;
}

const isToEnd = (claim: Claim | undefined): boolean =>
  claim === undefined || claim.condemned !== undefined || claim.recalled;

/** What is at work in hosts' hands, by name. */
export const claimsOfHosts = (state: State): readonly ClaimRef[] =>
  [...state.claims.values()].filter(({ type }) => type !== 'merge').map((claim) => refOf(state, claim));

function refOf(state: State, { task: index, step: at, attempt }: Claim): ClaimRef {
  const { task, steps } = taskAt(state, index);
  return { task: task.path, step: at === undefined ? undefined : steps[at]?.step.id, attempt };
}
