// Who calls, by the token of a request: the one that the server made at its start, or one of the project's tokens.
//
// callers/C1. A token that stops working ends what it has open, such as a poll or a stream, within a second.
// callers/C2. Of wrong tokens from one address so many are answered in a minute, and the others are turned away. Tokens are too
//     long to be guessed; this keeps a host with an old token from costing anything. Right tokens pass all the same.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, TokenBook, TokenFound } from '../app/serve/token-book.ts';
import type { Role } from '../app/serve/token-list.ts';
import { bearerIn, isSameSecret } from './guard.ts';
import { RefusedRequest } from './refused-request.ts';
import type { Exchange } from './send.ts';

export interface Callers {
  /** Who calls, if its role is one of these. */
  readonly mustBe: (exchange: Exchange, roles: readonly Role[]) => Caller;
  readonly close: () => void;
}

export interface CallersOptions {
  /** The token that the server made. */
  readonly session: () => string;
  /** Undefined where there are no other tokens. */
  readonly book: TokenBook | undefined;
}

/** Whoever has the server's own token started it, or was shown its address. */
const OF_SESSION: Caller = { name: 'session', role: 'operator' };

const LOOK_EVERY_MS = 500;

export function openCallers({ session, book }: CallersOptions): Callers {
  const open = new Map<ServerResponse, string>();
  const tries = openTries();
  const looking = book === undefined ? undefined : setInterval(() => endRevoked(open, book), LOOK_EVERY_MS).unref();
  const callerOf = (token: string): TokenFound => {
    if (isSameSecret(token, session())) return { type: 'known', caller: OF_SESSION };
    return book?.find(token) ?? { type: 'refused', why: 'wrong' };
  };
  return {
    mustBe: ({ request, response }, roles) => {
      const token = bearerIn(request.headers);
      if (token === undefined) throw new RefusedRequest(401, { code: 'no-token' });
      const found = callerOf(token);
      if (found.type === 'refused') throw refusalFor(found.why, tries.add(request));
      if (!roles.includes(found.caller.role)) throw new RefusedRequest(403, { code: 'wrong-role' });
      if (found.caller !== OF_SESSION) {
        open.set(response, token);
        response.on('close', () => open.delete(response));
      }
      return found.caller;
    },
    close: () => clearInterval(looking),
  };
}

function endRevoked(open: ReadonlyMap<ServerResponse, string>, book: TokenBook): void {
  for (const [response, token] of open) if (book.find(token).type === 'refused') response.destroy();
}

const CODES = { wrong: 'wrong-token', expired: 'token-expired', revoked: 'token-revoked' } as const;

const refusalFor = (why: keyof typeof CODES, isOften: boolean): RefusedRequest =>
  isOften ? new RefusedRequest(429, { code: 'too-many-tries' }) : new RefusedRequest(401, { code: CODES[why] });

const TRIES_MAX = 20;
const TRIES_WITHIN_MS = 60_000;
const ADDRESSES_MAX = 1_000;

interface Tries {
  /** Whether the address has tried too often. */
  readonly add: (request: IncomingMessage) => boolean;
}

function openTries(): Tries {
  let counts = new Map<string, number>();
  let since = performance.now();
  return {
    add: ({ socket }) => {
      const now = performance.now();
      if (now - since > TRIES_WITHIN_MS || counts.size > ADDRESSES_MAX) {
        counts = new Map();
        since = now;
      }
      const address = socket.remoteAddress ?? '';
      const count = (counts.get(address) ?? 0) + 1;
      counts.set(address, count);
      return count > TRIES_MAX;
    },
  };
}
