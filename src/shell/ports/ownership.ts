// Ownership of a run: one writer at a time, fenced by an epoch.
import type { LocalLog, Owner } from './log.ts';

export type Owned =
  | { readonly type: 'owned'; readonly log: LocalLog; readonly owner: Owner; readonly release: () => void }
  | { readonly type: 'refused'; readonly by: Owner; readonly silentMs: number }
  | { readonly type: 'failed'; readonly message: string };

export interface Ownership {
  /** The latest owner that has not released the run; its process may have died since. */
  readonly ownerOf: (run: string) => Owner | undefined;
  /** How many owners the run has had. */
  readonly ownersOf: (run: string) => number;
  /** Makes this process the run's one writer, unless the owner is another live process. */
  readonly own: (run: string, how: { readonly takesOver: boolean }) => Owned;
}
