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
  /**
   * A host on another machine. What follows is set for such hosts, by the server that knows the token of the host; the host
   * inside the coordinator says at most which agents are there.
   */
  readonly isRemote?: boolean;
  /** Differs each time that the program of the host starts: its messages are numbered from one again. */
  readonly instance?: string | undefined;
  /** Earlier programs in its home: of what they had begun it knows. */
  readonly follows?: readonly string[] | undefined;
  /** For `on` in plans. */
  readonly labels?: readonly string[] | undefined;
  /** The kinds of agents whose programs are installed there; undefined when unknown. */
  readonly agents?: readonly string[] | undefined;
  /** The base commits that it has a template tree of. */
  readonly warm?: readonly string[] | undefined;
  /** It takes nothing new, not even a claim whose offer was lost, and leaves when its claims are over. */
  readonly isDraining?: boolean | undefined;
  /** Its last message: what it does not hold and does not report here, it has never begun. */
  readonly isLeaving?: boolean | undefined;
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
