// Where a claim is carried out, and what becomes of the work made there.

/** Where one claim is carried out, and what becomes of what it makes. */
export interface Workplace {
  readonly cwd: string;
  /** To be added to what its programs see. */
  readonly environment: Readonly<Record<string, string>>;
  /** How a program is started there. */
  readonly wrap: (argv: readonly string[]) => readonly string[];
  /** To be asked for before a program is started there, and stopped when it has ended. */
  readonly guard: (order: MonitorRequest) => Promise<ResourceMonitor>;
  /** Keeps what a step has made; to be called when nothing of it runs any more. */
  readonly keep: () => Promise<Kept>;
}

/** What watches over the programs of a workplace while they work. */
export interface ResourceMonitor {
  /** The program that was started; all others come from it. */
  readonly watch: (pid: number) => void;
  /** Takes messages with sockets that come through a channel to the program, which it must be started with; else undefined. */
  readonly onMessage: ((message: unknown, handle: unknown) => void) | undefined;
  readonly stop: () => void;
}

export interface MonitorRequest {
  /** They took more than they may and are to be ended; the sentence says of what. Told once. */
  readonly onLimitExceeded: (message: string) => void;
  /** What a person should read among what they print. */
  readonly say: (sentence: string) => void;
}

export type Kept =
  /** The commit that holds it, where there is one, and whether it differs from what the step began with. */
  | { readonly type: 'kept'; readonly commit: string | undefined; readonly hasChanges?: boolean | undefined }
  | { readonly type: 'failed'; readonly message: string };

export type WorkplaceOpened =
  | { readonly type: 'opened'; readonly workplace: Workplace }
  | { readonly type: 'failed'; readonly message: string };
