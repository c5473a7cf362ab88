// The server as the other side of transfers: git's smart HTTP, with the token of the host.
//
// http-far-side/S1. The token is in the environment of git alone: in no argument, no address and no file.
// http-far-side/S2. Git asks nobody for a password, uses no helper, and follows no redirection.
import type { FarSide } from './host-transfers.ts';

export interface HttpFarSideOptions {
  /** Of the server, such as `https://build:4400`. */
  readonly url: URL;
  readonly token: string;
  /** A file of certificates to trust besides those of the system. */
  readonly authorities?: string | undefined;
}

export interface HttpAccess {
  readonly address: string;
  /** An address of git on the server. */
  readonly pathOf: (...words: readonly (string | number)[]) => string;
  readonly how: FarSide['how'];
}

/** A link that is slower than this for so long is taken for broken. */
const SLOW_BYTES_PER_SECOND = 100;
const SLOW_SECONDS = 60;

export function httpAccess({ url, token, authorities }: HttpFarSideOptions): HttpAccess {
  const address = url.href.replace(/\/+$/, '');
  return {
    address,
    pathOf: (...words) => [address, 'git', ...words.map((word) => encodeURIComponent(word))].join('/'),
    how: {
      environment: {
        GIT_ASKPASS: '',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'http.extraHeader',
        GIT_CONFIG_VALUE_0: `Authorization: Bearer ${token}`,
      },
      settings: [
        'credential.helper=',
        'http.followRedirects=false',
        'http.emptyAuth=false',
        `http.lowSpeedLimit=${SLOW_BYTES_PER_SECOND}`,
        `http.lowSpeedTime=${SLOW_SECONDS}`,
        'protocol.version=2',
        ...(authorities === undefined ? [] : [`http.sslCAInfo=${authorities}`]),
      ],
    },
  };
}

export function httpFarSide(options: HttpFarSideOptions): FarSide {
  const { address, pathOf, how } = httpAccess(options);
  return {
    address,
    fetchFrom: (run) => pathOf(run),
    pushTo: (run, { task, step, attempt }) => pathOf(run, task, step, attempt),
    whose: 'ours',
    how,
  };
}
