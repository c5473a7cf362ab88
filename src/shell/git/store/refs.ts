// Refs of a repository: read, listed, moved by compare-and-swap, removed only when nothing is lost.
//
// R1. A ref moves only from the value that the caller expects, and is on the disk when the call returns.
// R2. Neither a move nor a removal makes a commit unreachable (P4).
// R3. Every move may be begun twice: a ref that is already where it should be counts as moved.

export interface Ref {
  readonly ref: string;
  readonly commit: string;
}

export interface Swap {
  readonly ref: string;
  /** The value it must have; undefined when it must not exist. */
  readonly from: string | undefined;
  readonly to: string;
}

export type Swapped =
  | { readonly type: 'swapped' }
  /** It has another value than expected; nothing was changed. */
  | { readonly type: 'moved'; readonly at: string | undefined }
  /** The move would make commits unreachable; `message` says which and what to do. */
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };

export interface Removal {
  readonly ref: string;
  /** Kept, with the ref and its commit, in the list of what was ever removed. */
  readonly reason: string;
}

export type Removed =
  | { readonly type: 'removed' }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };
