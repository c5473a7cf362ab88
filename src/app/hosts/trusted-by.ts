// The certificates that a host trusts.
import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { Refused } from '../refused.ts';

/** Those of the system and of a file; undefined for those of the system alone. */
export function trustedBy(file: string | undefined): readonly string[] | undefined {
  if (file === undefined) return undefined;
  try {
    return [...getCACertificates('default'), readFileSync(file, 'utf8')];
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Refused({ code: 'unreadable', file, why: 'other', message }, { cause });
  }
}
