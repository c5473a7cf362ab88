// Commits whose ids are a function of what is in them and of the log.

export interface CommitOrder {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Milliseconds since the epoch; git keeps the whole seconds. */
  readonly at: number;
}
