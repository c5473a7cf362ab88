// The one time that a branch of the user's moves.

export interface LandingOrder {
  /** What to land: a commit that the integration repository has. */
  readonly commit: string;
  /** A branch of the user's, without `refs/heads/`. */
  readonly target: string;
  readonly how: 'fast-forward' | 'merge' | 'squash';
  readonly message: string;
  readonly at: number;
}

export type LandingReady =
  /** `commit` is what the target would become; it has the tree of what was asked for unless the target `hasMoved`. */
  | {
      readonly type: 'ready';
      readonly commit: string;
      readonly tree: string;
      readonly from: string;
      readonly hasMoved: boolean;
    }
  /** The target has it all already. */
  | { readonly type: 'landed'; readonly commit: string }
  | { readonly type: 'conflict'; readonly paths: readonly string[]; readonly message: string }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };

export interface Landing {
  readonly target: string;
  /** What the target must be, as `prepareLanding` said it. */
  readonly from: string;
  readonly to: string;
  /** Whether a checkout that is on the target may be brought along; without it such a target is refused. */
  readonly updatesCheckout: boolean;
}

export type Landed =
  | { readonly type: 'landed'; readonly commit: string; readonly checkout: string | undefined }
  | { readonly type: 'moved'; readonly at: string | undefined }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };
