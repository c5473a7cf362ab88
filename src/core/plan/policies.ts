// Who decides what an agent asks while it works.

export interface Questions {
  /** `gate`: the step waits for a person; `deny`: the agent must decide for itself. */
  readonly policy: 'gate' | 'deny';
  /** Timeout after which an unanswered question fails its step. */
  readonly timeoutMs: number;
  /** Tools that an agent may use without a request, as its program names them. */
  readonly allow: readonly string[];
}

export interface Permissions {
  /** `allow`: every request is granted; `deny`: those not listed are refused; `gate`: a person decides about them. */
  readonly policy: 'allow' | 'deny' | 'gate';
  /** Timeout after which an undecided permission request fails its step. */
  readonly timeoutMs: number;
  /** Patterns of requests that are granted without asking. */
  readonly allow: readonly string[];
}
