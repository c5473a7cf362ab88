// One reply of the server, loaded again when its path or its version changes; the last reply stays until the next is here.
import { useEffect, useState } from 'react';
import type { WebError } from '../../src/core/protocol/web.ts';
import type { ApiAnswer } from '../client/server-api.ts';

export type Loaded<T> =
  | { readonly type: 'loading' }
  | { readonly type: 'ready'; readonly value: T }
  | { readonly type: 'refused'; readonly error: WebError }
  | { readonly type: 'away' };

interface Loading<T> {
  /** Undefined loads nothing. */
  readonly path: string | undefined;
  /** Another value loads the same path again. */
  readonly version: number | string;
  readonly load: (path: string) => Promise<ApiAnswer<T>>;
}

export function useLoad<T>({ path, version, load }: Loading<T>): Loaded<T> {
  const [held, setHeld] = useState<{ readonly path: string; readonly loaded: Loaded<T> }>();
  useEffect(() => {
    if (path === undefined) return undefined;
    let isGone = false;
    const read = async (): Promise<void> => {
      const answer = await load(path);
      if (!isGone) setHeld({ path, loaded: loadedOf(answer) });
    };
    void read();
    return () => {
      isGone = true;
    };
  }, [path, version, load]);
  return held === undefined || held.path !== path ? { type: 'loading' } : held.loaded;
}

function loadedOf<T>(answer: ApiAnswer<T>): Loaded<T> {
  switch (answer.type) {
    case 'ok':
      return { type: 'ready', value: answer.value };
    case 'refused':
      return { type: 'refused', error: answer.error };
    case 'away':
      return answer;
  }
}
