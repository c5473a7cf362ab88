// Outcomes of a merge in memory.
import type { GitFailed } from '../run/git-error.ts';
import type { TakeRule } from '../../../core/plan/plan.ts';

/** One path that could not be merged. */
export interface ConflictPath {
  readonly path: string;
  /** Blob ids of the common ancestor and of both sides; undefined where the path does not exist. */
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
  /** Git's names, such as `contents`, `modify/delete`, `file/directory`, `binary`. */
  readonly kind: string;
}

export interface MergeConflict {
  readonly type: 'conflict';
  readonly paths: readonly ConflictPath[];
  /** The partial merge, with markers in the conflicted files. */
  readonly tree: string;
  /** Git's messages, one per line, for people. */
  readonly says: readonly string[];
}

export interface Merged {
  readonly type: 'merged';
  readonly commit: string;
  readonly tree: string;
  /** Paths that a remembered resolution resolved. */
  readonly resolved: readonly string[];
}

export type MergeOutcome =
  | Merged
  /** `tip` is part of `onto` already. */
  | { readonly type: 'unchanged' }
  | MergeConflict
  | GitFailed;

export type TreesMerged =
  | { readonly type: 'merged'; readonly tree: string; readonly resolved: readonly string[] }
  | MergeConflict
  | GitFailed;

export interface TreeMergeRequest {
  readonly onto: string;
  readonly tip: string;
  readonly message: string;
  readonly at: number;
  /** Whether resolutions of earlier conflicts with the same contents may resolve this one. */
  readonly usesResolutions: boolean;
  /** Files that never conflict. */
  readonly take?: readonly TakeRule[] | undefined;
}

export interface TreesMergeRequest {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly usesResolutions: boolean;
  /** Files that never conflict. */
  readonly take?: readonly TakeRule[] | undefined;
}

export interface ChainEntry {
  readonly tip: string;
  readonly message: string;
}

export interface ChainRequest {
  readonly base: string;
  /** Merged in this order; a link that the chain already contains is skipped. */
  readonly links: readonly ChainEntry[];
  readonly at: number;
  readonly usesResolutions: boolean;
  /** Files that never conflict. */
  readonly take?: readonly TakeRule[] | undefined;
}

export type ChainOutcome =
  /**
   * `commits` has the chain's commit after each link; the last is the tip, or the base when nothing had to be merged.
   */
  | { readonly type: 'merged'; readonly commit: string; readonly commits: readonly string[] }
  /** `at` is the number of links that were merged before the conflicting one. */
  | {
      readonly type: 'conflict';
      readonly at: number;
      readonly commit: string;
      readonly commits: readonly string[];
      readonly conflict: MergeConflict;
    }
  | GitFailed;
