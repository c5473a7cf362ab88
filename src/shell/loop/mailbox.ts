// Where messages of hosts in this process wait for the loop, and where it sleeps when there are none.
//
// Commands come through the store from other processes, so they are looked for; looking is cheap and twice a second.
import type { MergeOutcome } from '../../core/protocol/work-outcome.ts';
import type { Mail, Mailbox } from '../ports/host-link.ts';
import type { Reply, Sync } from '../../core/protocol/sync.ts';

export interface LocalMailbox extends Mailbox {
  readonly deliver: (sync: Sync) => void;
  /** What the merge queue in this process reports. */
  readonly report: (merges: readonly MergeOutcome[]) => void;
  /** Says that a command has been posted by this very process, so that nobody waits for the next look. */
  readonly ring: () => void;
}

export interface MailboxPorts {
  readonly hasCommands: () => boolean;
  readonly hear: (host: string, reply: Reply) => void;
}

const LOOK_EVERY_MS = 500;

export function openMailbox({ hasCommands, hear }: MailboxPorts): LocalMailbox {
  let syncs: Sync[] = [];
  let merges: MergeOutcome[] = [];
  let hasRung = false;
  let wake: (() => void) | undefined;
  const take = (): Mail => {
    const mail = { syncs, merges, mayHaveCommands: hasRung || hasCommands() };
    syncs = [];
    merges = [];
    hasRung = false;
    return mail;
  };
  return {
    deliver: (sync) => {
      syncs.push(sync);
      wake?.();
    },
    report: (reported) => {
      merges.push(...reported);
      wake?.();
    },
    ring: () => {
      hasRung = true;
      wake?.();
    },
    reply: hear,
    next: (withinMs) =>
      new Promise((resolve) => {
        // What comes in the same moment is taken together: one append, one sync of the disk. All that could wake the
        // loop again is called off here: in a process that was held up every timer is due at once, and a second
        // taking would throw away the mail of the next.
        const soon = (): void => {
          clearInterval(looking);
          clearTimeout(waiting);
          wake = undefined;
          setImmediate(() => resolve(take()));
        };
        const looking = setInterval(() => {
          if (hasCommands()) soon();
        }, LOOK_EVERY_MS);
        const waiting = withinMs === undefined ? undefined : setTimeout(soon, Math.ceil(withinMs));
        wake = soon;
        if (syncs.length + merges.length > 0 || hasRung) soon();
      }),
  };
}
