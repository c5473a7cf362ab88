// Time, as the shell asks for it: the wall clock for people, the monotonic clock for leases and limits.

export interface Clock {
  /** Milliseconds since the epoch; people may set it back. */
  readonly now: () => number;
  /** Milliseconds since some moment; never goes back. */
  readonly monotonic: () => number;
}
