// Follows the stream of the server for as long as the page is open: cut off, it connects again and goes on after the last
// position that was seen, so that no event is missing and none comes twice.
import { readStreamLine, type StreamLine, type WebError } from '../../src/core/protocol/web.ts';
import { errorIn, type ServerApi } from './server-api.ts';

export type StreamState =
  | { readonly type: 'connecting' }
  | { readonly type: 'open' }
  /** Nobody answers; the page tries again. */
  | { readonly type: 'away'; readonly since: number; readonly tries: number }
  /** The server refuses: a wrong token, or a run that it does not know. */
  | { readonly type: 'refused'; readonly status: number; readonly error: WebError };

export interface StreamOptions {
  readonly api: ServerApi;
  /** The address to go on from. */
  readonly path: () => string;
  readonly onLine: (line: StreamLine) => void;
  readonly onLink: (link: StreamState) => void;
  /** Says `online` when the network is back; the window, in a browser. */
  readonly network: EventTarget;
}

const WAITS_MS = [250, 500, 1000, 2000, 4000, 8000] as const;

/** How long to wait before the next try. */
export const waitBeforeTry = (tries: number): number => WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 8000;

/** The server sends a heartbeat more often than this; a stream that is silent for longer is dead. */
const SILENT_MAX_MS = 45_000;

/** Returns what ends it. */
export function followStream(following: StreamOptions): () => void {
  const ended = new AbortController();
  void follow(following, ended.signal);
  return () => ended.abort();
}

async function follow({ api, path, onLine, onLink, network }: StreamOptions, ended: AbortSignal): Promise<void> {
  let tries = 0;
  let since = Date.now();
  onLink({ type: 'connecting' });
  while (!ended.aborted) {
    const silent = silence(ended);
    const response = await api.open(path(), silent.signal);
    if (ended.aborted) return;
    if (response?.body && response.ok) {
      tries = 0;
      onLink({ type: 'open' });
      await readLines(response.body, (line) => {
        silent.put();
        if (!ended.aborted) onLine(line);
      });
      since = Date.now();
    } else if (response !== undefined && response.status < 500) {
      silent.end();
      onLink({ type: 'refused', status: response.status, error: await errorIn(response) });
      return;
    }
    silent.end();
    if (ended.aborted) return;
    onLink({ type: 'away', since, tries });
    await pause(waitBeforeTry(tries), network, ended);
    tries += 1;
  }
}

/** Gives up on a stream that has been silent for too long. */
function silence(ended: AbortSignal) {
  const given = new AbortController();
  const giveUp = (): void => given.abort();
  let timer = setTimeout(giveUp, SILENT_MAX_MS);
  ended.addEventListener('abort', giveUp, { once: true });
  return {
    signal: given.signal,
    put: (): void => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, SILENT_MAX_MS);
    },
    end: (): void => {
      clearTimeout(timer);
      ended.removeEventListener('abort', giveUp);
    },
  };
}

/** Until the stream ends or breaks. */
async function readLines(body: ReadableStream<Uint8Array>, onLine: (line: StreamLine) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = `${rest}${decoder.decode(value, { stream: true })}`.split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) {
        const line = text === '' ? undefined : readStreamLine(text);
        if (line !== undefined) onLine(line);
      }
    }
  } catch {
    // A stream that breaks off is taken up again from the last position, like one that ended.
  }
}

/** Cut short when the network or the tab comes back. */
function pause(ms: number, network: EventTarget, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      network.removeEventListener('online', done);
      ended.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    network.addEventListener('online', done, { once: true });
    ended.addEventListener('abort', done, { once: true });
  });
}
