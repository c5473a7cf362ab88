// A route beside those of the dashboard: a path, who may call it, and what it does. A server is given a list of them.
import type { HostRefusal } from '../core/protocol/host-message.ts';
import type { Caller } from '../app/serve/token-book.ts';
import type { Role } from '../app/serve/token-list.ts';
import { RefusedRequest } from './refused-request.ts';
import type { Exchange } from './send.ts';

export interface Route {
  /** With a `/` at its end it is every path below. */
  readonly path: string;
  readonly methods: readonly string[];
  readonly roles: readonly Role[];
  /** Errors are a `HostRefusal`, and not a `WebError`. */
  readonly isForHosts?: boolean;
  readonly reply: (exchange: Exchange, call: RouteCall) => Promise<void>;
}

export interface RouteCall {
  readonly url: URL;
  readonly caller: Caller;
}

/** The longest path that fits. */
export const routeFor = (routes: readonly Route[], path: string): Route | undefined =>
  routes
    .filter((route) => (route.path.endsWith('/') ? path.startsWith(route.path) : path === route.path))
    .toSorted((one, other) => other.path.length - one.path.length)[0];

export function mustBeOfRoute({ request }: Exchange, { methods }: Route): void {
  if (!methods.includes(request.method ?? '')) throw new RefusedRequest(405, { code: 'wrong-method', methods });
}

/** Undefined for what a host is told like everyone else. */
export function hostRefusalOf({ error }: RefusedRequest): HostRefusal | undefined {
  switch (error.code) {
    case 'no-token':
    case 'wrong-token':
      return { type: 'token', why: 'wrong' };
    case 'token-expired':
      return { type: 'token', why: 'expired' };
    case 'token-revoked':
      return { type: 'token', why: 'revoked' };
    case 'wrong-role':
      return { type: 'token', why: 'role' };
    case 'malformed-json':
      return { type: 'malformed' };
    case 'body-too-large':
      return { type: 'too-large', bytesMax: error.bytesMax };
    default:
      return undefined;
  }
}
