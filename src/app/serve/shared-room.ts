// The room of one host that several runs share: how many claims each of them has there.
//
// shared-room/R1. Room is reserved before a claim is offered and until its reply was sent or dropped, so two runs never give
//     away the same slot.
// shared-room/R2. Claims of a reply count until the host has spoken again, and lists those that it took.

export interface SharedRoom {
  /** How many more claims the host accepts. */
  readonly left: () => number;
  /** The host has spoken of all runs: how many claims of each it holds. */
  readonly hear: (width: number, held: ReadonlyMap<string, number>) => void;
  /** The same of one run. */
  readonly hearOf: (run: string, held: number) => void;
  /** A reply that starts claims becomes durable. */
  readonly reserve: (run: string, claims: number) => void;
  /** The reply was sent, or it was dropped. */
  readonly settle: (run: string, how: 'sent' | 'dropped') => void;
  /** Whether a reply of any run is becoming durable. */
  readonly isAwaited: () => boolean;
}

export function openSharedRoom(wide = 0): SharedRoom {
  let width = wide;
  const held = new Map<string, number>();
  const given = new Map<string, number>();
  const reserved = new Map<string, number>();
  return {
    left: () => Math.max(0, width - sum(held) - sum(given) - sum(reserved)),
    hear: (said, listed) => {
      width = said;
      given.clear();
      held.clear();
      for (const [run, claims] of listed) held.set(run, claims);
    },
    hearOf: (run, claims) => {
      given.delete(run);
      held.set(run, claims);
    },
    reserve: (run, claims) => void reserved.set(run, claims),
    settle: (run, how) => {
      const claims = reserved.get(run) ?? 0;
      reserved.delete(run);
      if (how === 'sent') given.set(run, (given.get(run) ?? 0) + claims);
    },
    isAwaited: () => reserved.size > 0,
  };
}

const sum = (counts: ReadonlyMap<string, number>): number => counts.values().reduce((all, each) => all + each, 0);
