// Posts a notification as JSON to a URL.
//
// webhook-channel/V1. A URL may contain a token: messages show only its host.
// webhook-channel/V2. Only https, or this machine; redirects are not followed.
// webhook-channel/V3. A bounded number of tries, each with a time limit.
import timers from 'node:timers/promises';
import { addressShown } from '../../core/plan/language/notify-shape.ts';
import { notificationText, type RunNotification } from '../../core/view/run/notification.ts';
import type { Channel } from './channel.ts';

export interface WebhookGiven {
  /** `${NAME}` in it is replaced from the environment. */
  readonly address: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs?: number;
  /** Backoff before the second try, the third and so on; there is one more try than pauses. */
  readonly pausesMs?: readonly number[];
}

const LIMIT_MS = 10_000;
const PAUSES_MS = [500, 2_000];

export function webhook({ address, environment, limitMs = LIMIT_MS, pausesMs = PAUSES_MS }: WebhookGiven): Channel {
  return {
    name: `The webhook ${addressShown(address)}`,
    deliver: async (notification, signal) => {
      const found = addressIn(address, environment);
      if (found.type === 'failed') return found;
      let posted = await post(found.url, notification, { signal, limitMs });
      for (const pauseMs of pausesMs) {
        if (posted.type === 'replied' || posted.isFinal || signal.aborted) break;
        // Aborted when the run is over; then there is no further try.
        await timers.setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
        if (!signal.aborted) posted = await post(found.url, notification, { signal, limitMs });
      }
      return posted.type === 'replied' ? posted : { type: 'failed', message: posted.message };
    },
  };
}

type Found = { readonly type: 'found'; readonly url: URL } | { readonly type: 'failed'; readonly message: string };

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function addressIn(address: string, environment: Readonly<Record<string, string>>): Found {
  const missing: string[] = [];
  const whole = address.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = environment[name];
    if (value === undefined || value === '') missing.push(name);
    return value ?? '';
  });
  if (missing.length > 0)
    return { type: 'failed', message: `needs ${missing.join(' and ')} from the environment, which is not set.` };
  if (!URL.canParse(whole)) return { type: 'failed', message: 'is no address once the environment is filled in.' };
  const url = new URL(whole);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return isSafe
    ? { type: 'found', url }
    : { type: 'failed', message: 'is neither https nor on this machine, so nothing is sent there.' };
}

interface Posting {
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

type Posted =
  | { readonly type: 'replied' }
  /** A retry would fail as well. */
  | { readonly type: 'failed'; readonly message: string; readonly isFinal: boolean };

async function post(url: URL, notification: RunNotification, { signal, limitMs }: Posting): Promise<Posted> {
  try {
    const { username, password } = url;
    const plain = new URL(url);
    [plain.username, plain.password] = ['', ''];
    const said = await fetch(plain, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'heddle', ...credentials(username, password) },
      body: notificationText(notification),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    });
    await said.body?.cancel();
    if (said.ok) return { type: 'replied' };
    const isFinal = said.status < 500 && said.status !== 408 && said.status !== 429;
    return { type: 'failed', message: `did not take it: it answered with status ${said.status}.`, isFinal };
  } catch (cause) {
    return { type: 'failed', message: whyNot(cause, limitMs), isFinal: signal.aborted };
  }
}

function credentials(username: string, password: string): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Shows only system error codes: a message could contain the URL. */
function whyNot(cause: unknown, limitMs: number): string {
  if (cause instanceof Error && cause.name === 'TimeoutError') return `did not answer within ${limitMs / 1000} s.`;
  if (cause instanceof Error && cause.name === 'AbortError') return 'was not answered before the run was over.';
  const inner: unknown = cause instanceof Error ? cause.cause : undefined;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : 'no connection';
  return `could not be reached: ${code}.`;
}
