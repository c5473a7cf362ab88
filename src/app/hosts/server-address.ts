// The address of a server that a host may join.
import { Refused } from '../refused.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Without encryption everyone on the way could read the token. */
export function serverAddress(word: string, { isInsecure }: { readonly isInsecure: boolean }): URL {
  const url = URL.canParse(word) ? new URL(word) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isHttp) throw new Refused({ code: 'server-malformed', word });
  if (url.username !== '' || url.password !== '') throw new Refused({ code: 'server-with-secret' });
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname) && !isInsecure)
    throw new Refused({ code: 'server-unencrypted', url: url.href });
  url.hash = '';
  url.search = '';
  return url;
}
