// The proxy that the user's environment names: where only it leads out of a network, ways out of sandboxes go on through it.
//
// Limit: proxies by HTTP and HTTPS alone; where the environment names one of another kind, the way out is direct.
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { CONNECT_TIME_MAX_MS, isOwn, type Destination } from './allow-list.ts';

/** The proxy to a destination, or undefined for the direct way. */
export type UpstreamOf = (destination: Destination, way: 'plain' | 'tunnel') => URL | undefined;

/** Programs do not agree on capitals; where both are set, most take the small ones. */
const NAMES = {
  plain: ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  tunnel: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
} as const;

export function upstreamsIn(environment: Readonly<Record<string, string | undefined>>): UpstreamOf {
  const named = (names: readonly string[]): string => names.map((name) => environment[name]).find(Boolean) ?? '';
  const urls = { plain: urlOf(named(NAMES.plain)), tunnel: urlOf(named(NAMES.tunnel)) };
  const exceptions = named(['no_proxy', 'NO_PROXY'])
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  return (destination, way) => {
    const url = urls[way];
    const isDirect = isOwn(destination.host) || exceptions.some((entry) => isException(entry, destination));
    return url === undefined || isDirect ? undefined : url;
  };
}

function urlOf(text: string): URL | undefined {
  const url = text === '' ? null : URL.parse(/^\w+:\/\//.test(text) ? text : `http://${text}`);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : undefined;
}

/** `*`, a range of addresses, or, with or without a port, an address, a host or a domain with all below it. */
function isException(entry: string, { host, port }: Destination): boolean {
  if (entry === '*') return true;
  const [address = '', bits] = entry.split('/');
  if (bits !== undefined) return isInRange(host, address, Number(bits));
  const [, name = '', only] = isIP(entry) === 6 ? ['', entry] : (/^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? []);
  if (only !== undefined && Number(only) !== port) return false;
  const wanted = name.replaceAll(/^\[|\]$/g, '').toLowerCase();
  return wanted !== '' && (host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`)));
}

function isInRange(host: string, address: string, bits: number): boolean {
  const kind = isIP(address);
  const bitsMax = kind === 6 ? 128 : 32;
  if (kind === 0 || isIP(host) !== kind || !Number.isInteger(bits) || bits < 0 || bits > bitsMax) return false;
  const range = new BlockList();
  range.addSubnet(address, bits, kind === 6 ? 'ipv6' : 'ipv4');
  return range.check(host, kind === 6 ? 'ipv6' : 'ipv4');
}

interface Wanted {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How the proxy itself is asked for something. */
export function askingOf(upstream: URL, { path, headers }: Wanted) {
  const isByTls = upstream.protocol === 'https:';
  const host = upstream.hostname.replaceAll(/^\[|\]$/g, '');
  const port = Number(upstream.port) || (isByTls ? 443 : 80);
  return {
    ask: isByTls ? https.request : http.request,
    to: { host, port, path, headers: { ...headers, ...proofOf(upstream) } },
  };
}

/** What proves to it who asks; none where its address holds no name. */
function proofOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const proof = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  return { 'Proxy-Authorization': `Basic ${proof}` };
}

/** A `%` may be meant as one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A way on, which the proxy opens. Its address may hold a password, so no more than its host is told. */
export function wayThrough(upstream: URL, to: Destination): Promise<Duplex> {
  const path = `${to.host.includes(':') ? `[${to.host}]` : to.host}:${to.port}`;
  const { ask, to: there } = askingOf(upstream, { path, headers: { Host: path } });
  const failed = (why: string): Error => new Error(`The proxy ${upstream.host} opened no way to ${path}: ${why}.`);
  return new Promise((resolve, reject) => {
    const asking = ask({ ...there, method: 'CONNECT', timeout: CONNECT_TIME_MAX_MS });
    asking.once('connect', (answer, outside, more) => {
      outside.setTimeout(0);
      if (answer.statusCode === 200) {
        if (more.length > 0) outside.unshift(more);
        return resolve(outside);
      }
      outside.destroy();
      reject(failed(`it answered ${answer.statusCode}`));
    });
    asking.once('timeout', () => asking.destroy(new Error('it did not answer in time')));
    asking.once('error', (cause) => reject(failed(cause.message)));
    asking.end();
  });
}
