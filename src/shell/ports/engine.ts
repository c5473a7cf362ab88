// An engine on other machines: it keeps the logs, inboxes and owners of the runs of one project, as text, and decides nothing.
//
// engine/E1. An append checks the epoch and the position in the transaction that adds the events.
// engine/E2. Every write has a key. A write whose answer was lost is repeated with its key and done once.
// engine/E3. No clock is compared with another: an owner beats, and whoever wants the run counts its silence himself.

/** Who owns a run. */
export interface Holder {
  readonly epoch: number;
  /** Grows with every sign of life of the owner. */
  readonly beats: number;
  /** An owner that is silent for this long may be replaced. */
  readonly leaseMs: number;
  /** Written by the owner, for others to read. */
  readonly who: string;
  /** The owner has released the run. */
  readonly isGone: boolean;
}

/** What a follower needs to know before it reads a log. */
export interface Head {
  readonly run: string;
  /** The position after the last event. */
  readonly end: number;
  /** Grows with every change of the run but beats. */
  readonly changed: number;
  /** Undefined before the first owner. */
  readonly holder: Holder | undefined;
}

export interface EngineCommand {
  readonly id: number;
  readonly json: string;
  readonly at: number;
}

export interface RunCreation {
  readonly run: string;
  readonly key: string;
  readonly record: string;
  readonly started: string;
}

export interface Claiming {
  readonly key: string;
  readonly who: string;
  readonly leaseMs: number;
  /** The holder that is replaced, and its last beat; undefined replaces anyone. */
  readonly replaces: Pick<Holder, 'epoch' | 'beats'> | undefined;
}

export interface Batch {
  readonly key: string;
  readonly epoch: number;
  /** Where the writer believes the end of the log to be. */
  readonly position: number;
  readonly events: readonly string[];
  readonly answers: readonly { readonly id: number; readonly json: string }[];
}

export type BatchResult =
  | { readonly type: 'appended' }
  | { readonly type: 'fenced'; readonly by: Holder | undefined }
  /** The epoch is right, and the log ends elsewhere: the writer must read it again. */
  | { readonly type: 'moved'; readonly end: number };

/** Every method may throw an `EngineError`. */
export interface Engine {
  /** For people; without a password. */
  readonly address: string;
  /** Records of runs, in the order of their creation. */
  readonly records: () => Promise<readonly string[]>;
  readonly record: (run: string) => Promise<string | undefined>;
  readonly heads: () => Promise<readonly Head[]>;
  readonly head: (run: string) => Promise<Head | undefined>;
  /** False when another run has the id. */
  readonly create: (creating: RunCreation) => Promise<boolean>;
  readonly read: (run: string, position: number, max: number) => Promise<readonly string[]>;
  /** The id of the command; undefined when there is no such run. */
  readonly post: (
    run: string,
    command: Omit<EngineCommand, 'id'> & { readonly key: string },
  ) => Promise<number | undefined>;
  readonly replyTo: (id: number) => Promise<string | undefined>;
  /** Unanswered commands, oldest first. */
  readonly commands: (run: string) => Promise<readonly EngineCommand[]>;
  /** The epoch of the new owner; undefined when someone else was quicker. */
  readonly claim: (run: string, claiming: Claiming) => Promise<number | undefined>;
  /** False when the run has another owner. */
  readonly beat: (run: string, epoch: number) => Promise<boolean>;
  readonly release: (run: string, epoch: number) => Promise<void>;
  readonly append: (run: string, batch: Batch) => Promise<BatchResult>;
  /** What the project belongs to: these words, where nobody has said any before. */
  readonly belongsTo: (words: string) => Promise<string>;
  readonly close: () => Promise<void>;
}
