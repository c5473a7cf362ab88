// The only message between a coordinator and a host, and its reply. Either may be lost, delayed or repeated:
//
// sync/H1. A host lists its claims; claims that are owed and not listed are offered again.
// sync/H2. A host repeats outcomes until a reply acknowledges them; a repeated outcome has no effect (Z1).
// sync/H3. A host acts only on the reply to its latest message, so a late reply cannot start outdated work.
// sync/H4. A claim that no host has held for a whole lease is lost, and its attempt is the fence against a late report.
import type { Assignment, ClaimRef, WorkType } from './assignment.ts';
import type { Spend } from './result.ts';
import type { WorkOutcome } from './work-outcome.ts';

export interface Held {
  readonly claim: ClaimRef;
  /** The cost so far, as far as it is known. */
  readonly spend: Spend;
}

export interface Sync {
  readonly host: string;
  /** The sequence number of the host's message, by which a late reply is recognised. */
  readonly number: number;
  readonly done: readonly WorkOutcome[];
  readonly held: readonly Held[];
  /** How many more claims the host accepts, merges aside. */
  readonly want: number;
  /** The kinds of work that the host carries out. With merges it has a merge queue, and accepts every merge. */
  readonly does: readonly WorkType[];
}

export interface Reply {
  /** The sequence number of the message that this reply answers. */
  readonly number: number;
  readonly start: readonly Assignment[];
  /**
   * Claims to end: ask, wait the grace period, terminate, kill. A host that does not hold one, not even by this reply,
   * reports it as stopped.
   */
  readonly cancel: readonly ClaimRef[];
}
