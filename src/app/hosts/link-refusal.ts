// Whether a host program can do something about what its server answered, or a person has to.
import { HOST_PROTOCOL, type HostRefusal } from '../../core/protocol/host-message.ts';
import type { LinkChange } from '../../shell/link/server-link.ts';
import { Refused } from '../refused.ts';

/** Codes of TLS for a server that cannot be trusted. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** The status for a Host header that is not the server's. */
const MISDIRECTED = '421';
/** The address is of another program: a status of HTTP, or an answer that is not Heddle's. */
const OTHER = /^(?:[34]\d\d|501|malformed|EPROTO|HPE_\w+)$/;

export interface JoinAttempt {
  readonly url: URL;
  /** A server that has accepted this host before is only away. */
  readonly hasJoined: boolean;
}

/** Undefined for a server that is away. */
export function refusedFor(change: LinkChange, { url: { href: url }, hasJoined }: JoinAttempt): Refused | undefined {
  if (change.type === 'up') return undefined;
  if (change.type === 'refused') return refusedBy(change.refusal, url);
  if (hasJoined) return undefined;
  const { code } = change;
  if (code === 'ENOTFOUND') return new Refused({ code: 'server-unknown', url });
  if (UNTRUSTED.has(code)) return new Refused({ code: 'server-certificate', url, error: code });
  if (code === MISDIRECTED) return new Refused({ code: 'server-name', url });
  return OTHER.test(code) ? new Refused({ code: 'server-other', url, status: code }) : undefined;
}

function refusedBy(refusal: HostRefusal, url: string): Refused {
  switch (refusal.type) {
    case 'token':
      return new Refused({ code: 'host-token', url, why: refusal.why });
    case 'protocol':
      return new Refused({
        code: 'host-protocol',
        own: HOST_PROTOCOL,
        protocol: refusal.protocol,
        version: refusal.version,
      });
    case 'name-taken':
      return new Refused({ code: 'host-name-taken', host: refusal.host });
    case 'malformed':
    case 'too-large':
    case 'not-held':
    case 'not-kept':
      return new Refused({ code: 'server-refuses', url, why: refusal.type });
  }
}
