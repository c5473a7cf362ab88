// What comes of a merge in memory.

/** One path that could not be merged. */
export interface ConflictPath {
  readonly path: string;
  /** Blob ids of the common ancestor and of both sides; undefined where the path does not exist. */
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
  /** In git's words, such as `contents`, `modify/delete`, `file/directory`, `binary`. */
  readonly kind: string;
}

export interface Conflict {
  readonly type: 'conflict';
  readonly paths: readonly ConflictPath[];
  /** The merge as far as it went, with markers in the conflicted files. */
  readonly tree: string;
  /** What git says of it, a line each, for people. */
  readonly says: readonly string[];
}

export interface Failed {
  readonly type: 'failed';
  readonly message: string;
}

export interface Merged {
  readonly type: 'merged';
  readonly commit: string;
  readonly tree: string;
  /** Paths that a remembered resolution settled. */
  readonly resolved: readonly string[];
}

export type MergeOutcome =
  | Merged
  /** `tip` is part of `onto` already. */
  | { readonly type: 'unchanged' }
  | Conflict
  | Failed;

export type TreesMerged =
  | { readonly type: 'merged'; readonly tree: string; readonly resolved: readonly string[] }
  | Conflict
  | Failed;

export interface MergeOrder {
  readonly onto: string;
  readonly tip: string;
  readonly message: string;
  readonly at: number;
  /** Whether resolutions of earlier conflicts with the same contents may settle this one. */
  readonly usesResolutions: boolean;
}

export interface TreesMergeRequest {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly usesResolutions: boolean;
}

export interface Link {
  readonly tip: string;
  readonly message: string;
}

export interface ChainRequest {
  readonly base: string;
  /** Merged in this order; what is part of the chain already is passed over. */
  readonly links: readonly Link[];
  readonly at: number;
  readonly usesResolutions: boolean;
}

export type ChainOutcome =
  /** `commits` has the chain's commit after each link; the last is the tip, the base itself when nothing had to be done. */
  | { readonly type: 'merged'; readonly commit: string; readonly commits: readonly string[] }
  /** `at` counts the links that were merged before the one that conflicts. */
  | {
      readonly type: 'conflict';
      readonly at: number;
      readonly commit: string;
      readonly commits: readonly string[];
      readonly conflict: Conflict;
    }
  | Failed;
