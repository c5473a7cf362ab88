// The link between the coordinator and its hosts: messages of hosts, and replies.
import type { HostReply } from '../../core/protocol/answer-hosts.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { RefusedReport, Rooms } from '../../core/protocol/placement.ts';
import type { Reply, Sync } from '../../core/protocol/sync.ts';

/** Input of one step of the loop: messages of hosts, and a hint that commands may have come or a timer may be due. */
export interface Mail {
  readonly syncs: readonly Sync[];
  readonly mayHaveCommands: boolean;
}

/** The loop waits here for its next input. */
export interface Mailbox {
  /** Resolves as soon as there is input, or after this many milliseconds. */
  readonly next: (withinMs: number | undefined) => Promise<Mail>;
  readonly reply: (host: string, reply: Reply) => void;
  /** Undefined where the run has its hosts for itself. */
  readonly shared?: SharedHosts | undefined;
}

/** Hosts on other machines, which all runs of a server share. */
export interface RemoteHosts {
  readonly attach: (run: string) => RunLink;
}

/** A run as the server of its hosts knows it. */
export interface RunEars {
  readonly deliver: (sync: Sync) => void;
  /** Lets the run look again whether there is room for it. */
  readonly ring: () => void;
  /** The host on another machine that the run has the claim on; undefined for every other claim. */
  readonly placedOn: (claim: ClaimRef) => string | undefined;
  /** For how long another server may have had the run. */
  readonly uncertainMs: () => number;
}

export interface RunLink extends SharedHosts {
  /** The messages of hosts come from now on, and those that wait at once. */
  readonly listen: (ears: RunEars) => void;
  readonly send: (host: string, reply: Reply) => void;
  /** A message of the host inside the coordinator. */
  readonly hearHere: (sync: Sync) => void;
  readonly noteRefused: (reports: readonly RefusedReport[]) => void;
  /** The run is not coordinated here any more; `isOver` lets hosts remove what they have of it. */
  readonly close: (how: { readonly isOver: boolean }) => void;
}

/** Hosts that several runs of one server share. */
export interface SharedHosts {
  readonly rooms: () => Rooms;
  /** Replies that are sent as soon as they are durable: until then no other run is offered the room that they take. */
  readonly reserve: (replies: readonly HostReply[]) => void;
}
