// What the user's repository is like, asked without writing a byte of it and without running a program it names.

export interface UserRepository {
  readonly type: 'repository';
  /** The top of the checkout; undefined for a bare repository. */
  readonly workTree: string | undefined;
  readonly gitDir: string;
  /** The git directory that all linked worktrees share. */
  readonly commonDir: string;
  /** The object folder and all that it borrows from in turn. */
  readonly objectFolders: readonly string[];
  readonly objectFormat: 'sha1' | 'sha256';
  readonly isLinkedWorktree: boolean;
  readonly isShallow: boolean;
  readonly isSparse: boolean;
  /** The branch checked out, without `refs/heads/`; undefined when HEAD is detached. */
  readonly branch: string | undefined;
  /** Undefined as long as there is no commit. */
  readonly head: string | undefined;
  readonly submodules: readonly string[];
  readonly usesLfs: boolean;
  /** Names of the filters that are configured. */
  readonly filters: readonly string[];
  readonly hooks: readonly string[];
  readonly changed: number;
  readonly untracked: number;
  /** Settings that decide what a checkout looks like, to be given to every private git directory. */
  readonly checkoutSettings: readonly { readonly key: string; readonly value: string }[];
  /** What a person should know before a run, a sentence each. */
  readonly says: readonly string[];
}

export type Described = UserRepository | { readonly type: 'refused'; readonly message: string };
