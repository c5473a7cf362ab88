// Brings commits out of a sandbox: only objects cross, and only such as do no harm.

export interface ImportOrder {
  /** The private git directory, as the program that `uploadPack` starts sees it. */
  readonly gitDir: string;
  readonly refs: readonly { readonly source: string; readonly target: string }[];
  /** What the work started from: what it adds to this is looked at. */
  readonly base: string;
  /** Starts `git-upload-pack`, inside the isolation where there is one; the git directory is appended as last argument. */
  readonly uploadPack: readonly string[];
}

export type Imported =
  /** In the order of `refs`. */
  | { readonly type: 'imported'; readonly commits: readonly string[] }
  /** What came may not be taken; no target was moved. `message` says why and what to do. */
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };
