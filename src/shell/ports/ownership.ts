// Ownership of a run: one writer at a time, fenced by an epoch.
import type { Awaitable, Local } from './awaitable.ts';
import type { LocalLog, Log, Owner } from './log.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';

export type Owned =
  | {
      readonly type: 'owned';
      readonly log: Log;
      readonly owner: Owner;
      readonly release: () => Awaitable<void>;
      /** For how long the run may have had another owner; undefined where none can take it from a living process. */
      readonly uncertainMs?: (() => number) | undefined;
    }
  | { readonly type: 'refused'; readonly by: Owner; readonly silentMs: number }
  | { readonly type: 'failed'; readonly failure: StoreFailure };

type Taken = Extract<Owned, { readonly type: 'owned' }>;

/** Ownership of a run whose log is on this machine. */
export type LocalOwned = Exclude<Owned, Taken> | (Omit<Local<Taken>, 'log'> & { readonly log: LocalLog });

export interface Ownership {
  /** The latest owner that has not released the run; its process may have died since. */
  readonly ownerOf: (run: string) => Awaitable<Owner | undefined>;
  /** How many owners the run has had. */
  readonly ownersOf: (run: string) => Awaitable<number>;
  /** Makes this process the run's one writer, unless the owner is another live process. */
  readonly own: (run: string, how: { readonly takesOver: boolean }) => Awaitable<Owned>;
}
