// Which server of a cluster has which commits of this host.
//
// far-commits/J1. A commit is delivered to the server that the run was last heard of from, else to another. An outcome is told to a server only
//     when that one has its commit.
// far-commits/J2. An outcome that is not heard of is delivered to the other servers too: the one that had the run may have
//     died, or lost the run to another. A server that does not have the run refuses the commit, and is tried again later.
// far-commits/J3. An outcome that is withheld from a server stands as a claim that is held, and the answer to a message
//     without it acknowledges nothing: else the server would take it for forgotten, and the host for heard.
import { claimKey, type ClaimRef } from '../../core/protocol/assignment.ts';
import { isPassing, type TransferFailure } from '../../core/protocol/transfer-failure.ts';
import type { Sync } from '../../core/protocol/sync.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import type { Clock } from '../../shell/ports/clock.ts';
import type { ObjectTransfer } from '../../shell/ports/object-transfer.ts';

export interface FarCommits extends ObjectTransfer {
  /** The server that last answered for a run. */
  readonly homeOf: (run: string) => number | undefined;
  readonly noteHome: (run: string, server: number) => void;
  /** What a server may be told. Commits that it lacks are delivered when they are overdue. */
  readonly tellable: (server: number, run: string, news: RunNews) => Tellable;
  readonly noteReported: (run: string, claims: readonly ClaimRef[]) => void;
}

export interface FarCommitsOptions {
  /** One for each server. */
  readonly transfers: readonly ObjectTransfer[];
  readonly clock: Pick<Clock, 'monotonic'>;
  /** A server has a commit now that it lacked. */
  readonly onDelivered: () => void;
}

export type RunNews = Pick<Sync, 'done' | 'held'>;

export interface Tellable extends RunNews {
  /** Nothing was withheld. */
  readonly isWhole: boolean;
}

interface Delivery {
  readonly servers: Set<number>;
  /** When it is due at each of the others. */
  readonly dueAt: Map<number, number>;
  /** The server that has the run is tried at once, and then like the others. */
  readonly tried: Set<number>;
}

/** An outcome is heard within a second. */
const OVERDUE_MS = 3_000;

export function openFarCommits({ transfers, clock, onDelivered }: FarCommitsOptions): FarCommits {
  const homes = new Map<string, number>();
  const deliveries = new Map<string, Delivery>();
  const transferOf = (run: string): ObjectTransfer | undefined => transfers[homes.get(run) ?? 0];
  const deliveryOf = (key: string): Delivery => {
    const known = deliveries.get(key) ?? { servers: new Set(), dueAt: new Map(), tried: new Set() };
    deliveries.set(key, known);
    return known;
  };
  const deliver = async (server: number, run: string, { claim, commit }: Committed): Promise<void> => {
    const failure = await transfers[server]?.deliver(run, claim, commit);
    if (failure !== undefined) return;
    deliveryOf(keyOf(run, claim)).servers.add(server);
    onDelivered();
  };
  const isTellable = (server: number, run: string, outcome: WorkOutcome): boolean => {
    const committed = committedIn(outcome);
    if (transfers.length === 1 || committed === undefined) return true;
    const { servers, dueAt, tried } = deliveryOf(keyOf(run, committed.claim));
    if (servers.has(server)) return true;
    const now = clock.monotonic();
    const isOfRun = homes.get(run) === server && !tried.has(server);
    const due = isOfRun ? now : (dueAt.get(server) ?? now + OVERDUE_MS);
    dueAt.set(server, due <= now ? now + OVERDUE_MS : due);
    if (due <= now) tried.add(server);
    if (due <= now) void deliver(server, run, committed);
    return false;
  };
  return {
    homeOf: (run) => homes.get(run),
    noteHome: (run, server) => void homes.set(run, server),
    tellable: (server, run, { done, held }) => {
      const told = new Set(done.filter((outcome) => isTellable(server, run, outcome)));
      const withheld = done.filter((outcome) => !told.has(outcome));
      const asHeld = withheld.map(({ work, task, step, attempt, spend }) => ({
        claim: { work, task, step, attempt },
        spend,
      }));
      return { done: [...told], held: [...held, ...asHeld], isWhole: withheld.length === 0 };
    },
    noteReported: (run, claims) => {
      for (const claim of claims) deliveries.delete(keyOf(run, claim));
    },
    bring: async (run, assignment) => await transferOf(run)?.bring(run, assignment),
    deliver: async (run, claim, commit) => {
      const home = homes.get(run) ?? 0;
      const places = [...transfers.keys()].toSorted((one, other) => Number(other === home) - Number(one === home));
      const failures: TransferFailure[] = [];
      for (const server of places) {
        const failure = await transfers[server]?.deliver(run, claim, commit);
        if (failure !== undefined) failures.push(failure);
        else {
          deliveryOf(keyOf(run, claim)).servers.add(server);
          return undefined;
        }
      }
      // A refusal by a server that has not the run says nothing while the one that has it is away.
      const said = failures.find(isPassing) ?? failures.find(({ code }) => code !== 'not-yours');
      return said ?? (transfers.length === 1 ? failures[0] : NOBODY_HAS_IT);
    },
    forget: async (run) => {
      homes.delete(run);
      await transferOf(run)?.forget(run);
    },
  };
}

/** Of servers whose copies of the log lag behind none may know yet that the claim is here. The one that does cancels it when it is not. */
const NOBODY_HAS_IT: TransferFailure = { code: 'link-away', address: 'the servers', cause: 'none of them has the run' };

const keyOf = (run: string, claim: ClaimRef): string => `${run} ${claim.work} ${claimKey(claim)}`;

interface Committed {
  readonly claim: ClaimRef;
  readonly commit: string;
}

function committedIn(outcome: WorkOutcome): Committed | undefined {
  const commit = 'result' in outcome ? outcome.result?.commit : undefined;
  if (commit === undefined) return undefined;
  const { work, task, step, attempt } = outcome;
  return { claim: { work, task, step, attempt }, commit };
}
