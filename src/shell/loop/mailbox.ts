// Queue of messages from hosts in this process to the loop; the loop sleeps here while it is empty.
//
// Commands come from other processes through the store, so the mailbox polls for them twice a second, which is cheap.
import type { Mail, Mailbox, SharedHosts } from '../ports/host-link.ts';
import type { Reply, Sync } from '../../core/protocol/sync.ts';

export interface LocalMailbox extends Mailbox {
  readonly deliver: (sync: Sync) => void;
  /** Signals that this process has posted a command, so that the loop does not wait for the next poll. */
  readonly ring: () => void;
}

export interface MailboxPorts {
  readonly hasCommands: () => boolean;
  /** Passes a reply to its host. */
  readonly send: (host: string, reply: Reply) => void;
  readonly shared?: SharedHosts | undefined;
}

const POLL_EVERY_MS = 500;

export function openMailbox({ hasCommands, send, shared }: MailboxPorts): LocalMailbox {
  let syncs: Sync[] = [];
  let hasRung = false;
  let wake: (() => void) | undefined;
  const take = (): Mail => {
    const mail = { syncs, mayHaveCommands: hasRung || hasCommands() };
    syncs = [];
    hasRung = false;
    return mail;
  };
  return {
    deliver: (sync) => {
      syncs.push(sync);
      wake?.();
    },
    ring: () => {
      hasRung = true;
      wake?.();
    },
    reply: send,
    shared,
    next: (withinMs) =>
      new Promise((resolve) => {
        // Messages of the same moment are taken together: one append, one sync of the disk. Every other source of a
        // wake-up is cancelled here: after this process was suspended all timers are due at once, and a second wake-up
        // would discard the next mail.
        const soon = (): void => {
          clearInterval(polling);
          clearTimeout(waiting);
          wake = undefined;
          setImmediate(() => resolve(take()));
        };
        const polling = setInterval(() => {
          if (hasCommands()) soon();
        }, POLL_EVERY_MS);
        const waiting = withinMs === undefined ? undefined : setTimeout(soon, Math.ceil(withinMs));
        wake = soon;
        if (syncs.length > 0 || hasRung) soon();
      }),
  };
}
