// A store that stays open for reading, and is opened again when another file has taken its place.
import type { WebError } from '../../core/protocol/web.ts';
import type { OpenProject } from '../open-project.ts';
import { refusalOf } from '../refused.ts';
import type { ServedProject } from './served-project.ts';

export type StoreRead<Value> =
  | { readonly type: 'read'; readonly value: Value }
  /** The store cannot be opened or read; the next call tries again. */
  | { readonly type: 'failed'; readonly error: WebError };

export interface KeptStore {
  readonly read: <Value>(work: (open: OpenProject) => Value) => StoreRead<Value>;
  readonly close: () => void;
}

export function keepStore(project: ServedProject): KeptStore {
  let kept: { readonly open: OpenProject; readonly identity: string | undefined } | undefined;
  const close = (): void => {
    kept?.open.store.close();
    kept = undefined;
  };
  const current = (): OpenProject => {
    const identity = project.identity();
    if (kept !== undefined && kept.identity !== identity) close();
    kept ??= { open: project.open('read'), identity };
    return kept.open;
  };
  return {
    read: (work) => {
      try {
        return { type: 'read', value: work(current()) };
      } catch (cause) {
        close();
        return failedBy(cause);
      }
    },
    close,
  };
}

/** The same of a reading that is awaited. */
export async function readKept<Value>(work: () => Promise<Value>): Promise<StoreRead<Value>> {
  try {
    return { type: 'read', value: await work() };
  } catch (cause) {
    return failedBy(cause);
  }
}

/** A bug of ours is thrown on. */
function failedBy(cause: unknown): Extract<StoreRead<never>, { type: 'failed' }> {
  const refusal = refusalOf(cause);
  if (refusal === undefined) throw cause;
  return { type: 'failed', error: { ...refusal } };
}
