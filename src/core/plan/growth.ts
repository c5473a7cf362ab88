// What a plan says about the tasks that it grows by.

/** The limits on the tasks that a draft adds to its subplan. */
export interface Growth {
  /** Copies of a `for_each` and tasks that grow later included. */
  readonly tasksMax: number;
  /** How many levels of growth, this one included. */
  readonly depthMax: number;
  /** Whether a person sees the tasks before they start: the second task of the subplan is then a gate. */
  readonly confirm: 'gate' | 'none';
  /** Agents that the tasks may use. */
  readonly agents: readonly string[];
  /** Pools that the tasks may take besides those of their agents. */
  readonly pools: readonly string[];
  /** Globs that the files of the tasks must lie in; empty: anywhere in the repository. */
  readonly files: readonly string[];
}
