// A git directory of a sandbox's own: it borrows objects, and shares nothing that can be written.

export interface PrivateOrder {
  /** Where it shall be; what is there already is left as it is. */
  readonly folder: string;
  readonly head: string;
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** An index of exactly the tree that will be checked out, to be copied. */
  readonly index: string | undefined;
}

export type PrivateMade =
  | { readonly type: 'made' }
  | { readonly type: 'present' }
  | { readonly type: 'failed'; readonly message: string };
