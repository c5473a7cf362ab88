// Calls of the server. Trouble is a value: the page says what happened and goes on.
import type { WebError } from '../../src/core/protocol/web.ts';

export type ApiAnswer<T> =
  | { readonly type: 'ok'; readonly value: T }
  /** The server understood and said no. */
  | { readonly type: 'refused'; readonly status: number; readonly error: WebError }
  /** Nobody answered. */
  | { readonly type: 'away' };

export interface ServerApi {
  readonly get: <T>(path: string) => Promise<ApiAnswer<T>>;
  readonly getText: (path: string) => Promise<ApiAnswer<string>>;
  readonly getBytes: (path: string) => Promise<ApiAnswer<Uint8Array>>;
  readonly post: <T>(path: string, body: unknown) => Promise<ApiAnswer<T>>;
  /** The raw reply, to be read while it arrives; undefined when nobody answered. */
  readonly open: (path: string, signal: AbortSignal) => Promise<Response | undefined>;
}

/** The path of a call about one run. */
export const runPath = (project: string, run: string, call: string): string =>
  `/api/p/${encodeURIComponent(project)}/r/${encodeURIComponent(run)}/${call}`;

/** A token opens everything; a ticket from a notification opens one question. */
export function openApi(keyNow: () => string | undefined, scheme: 'Bearer' | 'Ticket' = 'Bearer'): ServerApi {
  const headersNow = (): Readonly<Record<string, string>> => {
    const key = keyNow();
    return key === undefined ? {} : { authorization: `${scheme} ${key}` };
  };

  const answer = async <T>(
    request: Promise<Response>,
    read: (response: Response) => Promise<T>,
  ): Promise<ApiAnswer<T>> => {
    try {
      const response = await request;
      if (response.ok) return { type: 'ok', value: await read(response) };
      return { type: 'refused', status: response.status, error: await errorIn(response) };
    } catch {
      // `fetch` fails only when nobody answered, and a reply that breaks off is no answer either.
      return { type: 'away' };
    }
  };

  return {
    get: <T>(path: string) =>
      // The server of the same build wrote the reply.
      answer(fetch(path, { headers: headersNow() }), async (response) => (await response.json()) as T),
    getText: (path) => answer(fetch(path, { headers: headersNow() }), (response) => response.text()),
    getBytes: (path) =>
      answer(fetch(path, { headers: headersNow() }), async (response) => new Uint8Array(await response.arrayBuffer())),
    post: <T>(path: string, body: unknown) =>
      answer(
        fetch(path, {
          method: 'POST',
          headers: { ...headersNow(), 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
        // The server of the same build wrote the reply.
        async (response) => (await response.json()) as T,
      ),
    open: async (path, signal) => {
      try {
        return await fetch(path, { headers: headersNow(), signal });
      } catch {
        return undefined;
      }
    },
  };
}

/** What a reply that is no success says. */
export async function errorIn(response: Response): Promise<WebError> {
  try {
    // Every refusal of the server is a `WebError`.
    return (await response.json()) as WebError;
  } catch {
    return { code: `http-${response.status}` };
  }
}
