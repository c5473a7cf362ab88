// Who may call: decided from the headers of a request, before anything is read or done.
//
// guard/G1. A page of another site reaches nothing, though the browser of the person sends the request: the Host header
//     must be ours (a rebound name is not), and Origin and Sec-Fetch-Site must not name another site. The names of our
//     certificate are ours: for any other name a browser gives up before it sends anything.
// guard/G2. Nothing below `/api`, nor the metrics, answers without a token. Tokens are compared in constant time.
import { createHash, timingSafeEqual, type X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';

export interface GuardSettings {
  /** `host:port` as browsers send it, in small letters. */
  readonly hosts: ReadonlySet<string>;
  /** Any address of this machine is ours: an address, unlike a name, cannot be rebound. */
  readonly takesAddresses: boolean;
  readonly port: number;
  /** Of the server itself; a program that forwards a port to it may have another one. */
  readonly certificate: X509Certificate | undefined;
}

type GuardCode = 'wrong-host' | 'wrong-origin' | 'cross-site' | 'no-token' | 'wrong-token';

export type Guarded =
  | { readonly type: 'passed' }
  | { readonly type: 'refused'; readonly status: 421 | 403 | 401; readonly code: GuardCode };

const PASSED: Guarded = { type: 'passed' };
const refused = (status: 421 | 403 | 401, code: GuardCode): Guarded => ({ type: 'refused', status, code });

export function guardSite(headers: IncomingHttpHeaders, settings: GuardSettings): Guarded {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (host === undefined || !isOurs(host.toLowerCase(), settings)) return refused(421, 'wrong-host');
  if (origin !== undefined && !isOurOrigin(origin, host)) return refused(403, 'wrong-origin');
  // `none` is an address that a person typed or opened.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return refused(403, 'cross-site');
  return PASSED;
}

function isOurs(host: string, { hosts, takesAddresses, port, certificate }: GuardSettings): boolean {
  if (hosts.has(host) || certificate?.checkHost(host.replace(/:\d+$/, '')) !== undefined) return true;
  if (!takesAddresses || !host.endsWith(`:${port}`)) return false;
  const address = host.slice(0, -`:${port}`.length).replace(/^\[(.*)\]$/, '$1');
  return isIP(address) !== 0;
}

function isOurOrigin(origin: string, host: string): boolean {
  const { protocol, host: named } = URL.canParse(origin) ? new URL(origin) : { protocol: '', host: '' };
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return named === withoutUsualPort(host.toLowerCase(), protocol);
}

/** Origins leave out the usual port, and so do Host headers, except those of some programs. */
const withoutUsualPort = (host: string, protocol: 'http:' | 'https:'): string =>
  host.replace(protocol === 'http:' ? /:80$/ : /:443$/, '');

export const bearerIn = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^Bearer ([\w-]{1,200})$/.exec(authorization ?? '')?.[1];

/** In a time that does not depend on where they differ. */
export const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
