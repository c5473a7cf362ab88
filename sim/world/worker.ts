// A worker from outside: its claim, whether it lives, its spend and the files that it left.
import type { ClaimRef } from '../../src/core/protocol/assignment.ts';
import type { Spend } from '../../src/core/protocol/result.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';

export interface Worker {
  readonly claim: ClaimRef;
  readonly key: string;
  readonly isPaid: boolean;
  /** The host that started it. */
  readonly host: string;
  /** It has to have ended when its host was not heard for this long; undefined when it goes on. */
  readonly leaseMs: number | undefined;
  isAlive: boolean;
  /** Another machine has taken the name of its host, which nobody hears any more. */
  isCutOff: boolean;
  /** Its machine stands still, or has only just gone on. */
  isStill: boolean;
  /** It was told to stop. */
  isAsked: boolean;
  /** What it has said that it spent so far. */
  live: Spend;
  /** What its folder says came of it. */
  outcome: WorkOutcome | undefined;
}
