// The outcomes that a host has to report, and which of them the coordinator has acknowledged.
//
// outbox/O1. An outcome is repeated in every message until a reply to one that carried it arrives (sync/H2).
// outbox/O2. Only the reply to the latest message is acted on (sync/H3); an older reply still acknowledges outcomes
//     that were sent by then.
import { claimKey } from '../../core/protocol/assignment.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';

interface Entry {
  readonly outcome: WorkOutcome;
  /** The first message that carried it. */
  readonly since: number | undefined;
}

export interface Outbox {
  readonly add: (outcome: WorkOutcome) => void;
  /** Whether the end of this claim is still being reported. */
  readonly has: (key: string) => boolean;
  readonly isEmpty: () => boolean;
  /** The next message's number and outcomes; from here on they count as sent. */
  readonly next: () => { readonly number: number; readonly done: readonly WorkOutcome[] };
  /** A reply to the message with this number has come. */
  readonly acknowledge: (number: number) => Acknowledged;
  /** Whether there is an outcome that no message has carried. */
  readonly hasUnsent: () => boolean;
  /** Whether the latest message carried outcomes and is unanswered, so that an answer is certain. */
  readonly isAwaited: () => boolean;
}

export interface Acknowledged {
  readonly isLatest: boolean;
  /** Outcomes that the coordinator has. */
  readonly received: readonly WorkOutcome[];
}

export function openOutbox(): Outbox {
  const entries = new Map<string, Entry>();
  let latest = 0;
  let isAwaited = false;
  return {
    add: (outcome) => {
      entries.set(claimKey(outcome), { outcome, since: undefined });
    },
    has: (key) => entries.has(key),
    isEmpty: () => entries.size === 0,
    next: () => {
      latest += 1;
      for (const [key, { outcome, since }] of entries) entries.set(key, { outcome, since: since ?? latest });
      isAwaited = entries.size > 0;
      return { number: latest, done: [...entries.values()].map(({ outcome }) => outcome) };
    },
    acknowledge: (number) => {
      const received = [...entries].filter(([, { since }]) => since !== undefined && since <= number);
      for (const [key] of received) entries.delete(key);
      if (number === latest) isAwaited = false;
      return { isLatest: number === latest, received: received.map(([, { outcome }]) => outcome) };
    },
    hasUnsent: () => [...entries.values()].some(({ since }) => since === undefined),
    isAwaited: () => isAwaited,
  };
}
