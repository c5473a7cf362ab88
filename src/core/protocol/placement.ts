// Where a claim runs when there are several machines, and why there. Codes; the words are those of the views.
import type { ClaimRef } from './assignment.ts';

/**
 * Why a host was chosen, the first that told the hosts apart: `only`, no other host that fits had room; `conversation`, it has
 * the conversation that the turn continues; `task`, the task's last claim ran there, so that its sandbox is there;
 * `template`, it has a tree of the base commit; `room`, it accepts the most claims.
 */
export const PLACED_FOR = ['only', 'conversation', 'task', 'template', 'room'] as const;

export type PlacedFor = (typeof PLACED_FOR)[number];

/**
 * Why no host has the claim yet: `label`, no host with the labels of `on` is here; `agent`, none of them has the program of
 * the agent; `host`, none does such work; `room`, those that could have it are full, or hold another claim of the task.
 */
export const WAITS_FOR = ['label', 'agent', 'host', 'room'] as const;

export type WaitsForHost = (typeof WAITS_FOR)[number];

/** What a claim asks of its host, and where it would do best. */
export interface Placeable {
  /** The host must have all of these. */
  readonly on: readonly string[];
  /** The kind of agent, of an agent's turn. */
  readonly agent: string | undefined;
  /**
   * Only the host inside the coordinator may have it: the run works in the folder of its user, or the text of the claim has a
   * secret of that machine.
   */
  readonly isHere: boolean;
  /** Where the conversation is that the turn continues. */
  readonly conversation: Whereabouts | undefined;
  /** Where the task's last claim ran. */
  readonly last: Whereabouts | undefined;
  readonly base: string | undefined;
  /** It holds slots of a pool whose work ends on a host that is cut off. */
  readonly endsCutOff: boolean;
  /** Hosts that could not begin a claim of the task: they have it only where no other may. */
  readonly refusedOn: readonly string[];
}

export interface Whereabouts {
  /** Undefined for the coordinator's machine. */
  readonly host: string | undefined;
}

/**
 * What becomes of a conversation whose next turn runs on another machine: `carried`, its files are brought there; `anew`, the
 * turn begins a conversation of its own, with a summary of that one.
 */
export type MovedConversation = 'carried' | 'anew';

/** The kinds of agents whose programs go on with a conversation from its files alone, in any home and any folder. */
export const CARRIED_KINDS: readonly string[] = ['claude', 'codex'];

export interface Placed {
  /** Undefined for the coordinator's machine: only noted for a claim that has waited, or whose conversation moved. */
  readonly host: string | undefined;
  readonly why: PlacedFor;
  /** The program of the host: a later one there may know nothing of the claim, though it was begun. */
  readonly instance?: string | undefined;
  /** Of a turn whose conversation is on another machine. */
  readonly conversation?: MovedConversation | undefined;
  /** It ends on its host when no server has heard the host for this long; undefined when it goes on. */
  readonly leaseMs?: number | undefined;
}

/**
 * How many more claims each host accepts at this moment, where several runs share the hosts. A host on another machine that
 * is not named waits for no reply.
 */
export type Rooms = ReadonlyMap<string, number>;

/** A decision of the dispatcher to be logged before its replies are sent. */
export type Placement =
  | (Placed & { readonly type: 'placed'; readonly claim: ClaimRef })
  | { readonly type: 'waiting'; readonly claim: ClaimRef; readonly why: WaitsForHost };

/** A report on a claim that the host does not hold: it has no effect. */
export interface RefusedReport {
  readonly host: string;
  readonly claim: ClaimRef;
  /** The reported outcome; `held` when the host lists the claim as its own. */
  readonly reported: string;
}
