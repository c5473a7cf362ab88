// The one message between a coordinator and a host, and its reply. It is safe to lose, delay or repeat either:
//
// sync/H1. A host lists what it holds; what is owed and not listed is offered again.
// sync/H2. A host repeats what is done until a reply shows that it was heard; a repeated outcome means nothing (Z1).
// sync/H3. A host acts only on the reply to its latest message, so a late one cannot start what is long over.
// sync/H4. A claim that nobody has held for a whole lease is lost, and its attempt is the fence against a late report.
import type { Assignment, ClaimRef } from './assignment.ts';
import type { Spend } from './result.ts';
import type { WorkOutcome } from './work-outcome.ts';

export interface Held {
  readonly claim: ClaimRef;
  /** What it has spent so far, as far as is known. */
  readonly spend: Spend;
}

export interface Sync {
  readonly host: string;
  /** Counts the messages of this host, so that a late reply is known. */
  readonly number: number;
  readonly done: readonly WorkOutcome[];
  readonly held: readonly Held[];
  /** How many more claims the host would take. */
  readonly want: number;
}

export interface Reply {
  /** Of the message that it answers. */
  readonly number: number;
  readonly start: readonly Assignment[];
  /** Claims to end: ask, wait the grace, terminate, kill. A host that does not hold one says that it was stopped. */
  readonly cancel: readonly ClaimRef[];
}
