// The files in which agents' programs keep conversations, on their way to another machine.

/** Whose conversation it is, and where. */
export interface ConversationHome {
  /** The kind of the agent. */
  readonly use: string;
  readonly id: string;
  /** The home folder of a sandbox; undefined where the program has that of the user. */
  readonly home: string | undefined;
  /** That of the program. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ConversationCarrier {
  /**
   * Undefined when there is nothing to carry: no files, too many, or a program whose conversations cannot be carried. `clean`
   * takes secrets out of a file.
   */
  readonly pack: (of: ConversationHome, clean: (bytes: Buffer) => Buffer) => Promise<string | undefined>;
  /** Whether the files are there now. */
  readonly unpack: (to: ConversationHome, packed: string) => Promise<boolean>;
}
