// Which hosts a sandbox may talk to.
import { BlockList, isIP } from 'node:net';

/** How long a destination is waited for. */
export const CONNECT_TIME_MAX_MS = 30_000;

/** Hosts that may be reached, exact or `*.suffix`, where the isolation can enforce it. */
export type Allowed = 'all' | 'none' | readonly string[];

export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** `host:port`, or `[address]:port`; undefined when it is neither. */
export function destinationOf(text: string, usualPort: number): Destination | undefined {
  const found = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/@\s]+))(?::(\d{1,5}))?$/.exec(text);
  const host = found?.[1] ?? found?.[2];
  const port = Number(found?.[3] ?? usualPort);
  if (host === undefined || port < 1 || port > PORT_MAX) return undefined;
  return { host: plain(host), port };
}

const PORT_MAX = 65_535;

/** Whether an entry of a list names one port of this machine. */
export const isNear = (entry: string): boolean => /^(localhost|127\.0\.0\.1):\d{1,5}$/.test(entry);

/** Names mean the same in capitals, and with the dot at the end that says that they are whole. */
const plain = (host: string): string => host.toLowerCase().replace(/\.$/, '');

export function isAllowed(allowed: readonly string[], { host, port }: Destination): boolean {
  return allowed.some((entry) => {
    if (entry.startsWith('*.')) {
      const wanted = destinationOf(entry.slice(2), port);
      // A name made of numbers alone belongs to nobody's domain.
      return wanted?.port === port && isIP(host) === 0 && host.endsWith(`.${wanted.host}`);
    }
    const wanted = isIP(entry) === 6 ? { host: plain(entry), port } : destinationOf(entry, port);
    return wanted?.host === host && wanted.port === port;
  });
}

/** Addresses of this machine, and where clouds tell machines their secrets. */
const OWN = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
] as const)
  OWN.addSubnet(address, bits);
OWN.addAddress('::1', 'ipv6');
OWN.addAddress('::', 'ipv6');
OWN.addSubnet('fe80::', 10, 'ipv6');

/**
 * The owner of a name decides where it leads, and may let it lead to this machine. Only who is listed by address, or as
 * localhost, may be here.
 */
export const mayLeadTo = (host: string, address: string): boolean =>
  isIP(host) !== 0 || host === 'localhost' || !isOwn(address);

/** Whether it is written as one of those, by address or as localhost. */
export const isOwn = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && OWN.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'));
