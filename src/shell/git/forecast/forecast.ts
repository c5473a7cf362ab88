// Which branches would conflict with which, before anybody merges them.

export interface Branch {
  /** The task's id, or whatever the caller knows it by. */
  readonly name: string;
  readonly tip: string;
}

export interface ForecastPair {
  readonly one: string;
  readonly other: string;
  readonly paths: readonly string[];
  /** In git's words, such as `contents` or `file location`. */
  readonly kinds: readonly string[];
}

export interface Forecast {
  /** In the order of the branches. */
  readonly conflicts: readonly ForecastPair[];
  /** Pairs that touch the same paths and yet merge. */
  readonly overlaps: readonly { readonly one: string; readonly other: string; readonly paths: readonly string[] }[];
}
