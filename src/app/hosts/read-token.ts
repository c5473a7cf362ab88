// The token of a host, from a file or from standard input.
//
// read-token/T1. The token is never an argument and never in the environment, which other programs of this machine can see.
import { readFileSync } from 'node:fs';
import { Refused } from '../refused.ts';

const TOKEN = /^[\w-]{32,200}$/;

/** Names a file with the token. Steps do not get it. */
export const TOKEN_FILE_VARIABLE = 'HEDDLE_TOKEN_FILE';

/** `-` is for standard input, which the caller reads. */
export function tokenFileFor(named: string | undefined): string {
  const file = named ?? process.env[TOKEN_FILE_VARIABLE];
  if (file === undefined || file === '') throw new Refused({ code: 'host-token-missing' });
  return file;
}

export function readTokenFile(file: string): string {
  try {
    return tokenIn(file, readFileSync(file, 'utf8'));
  } catch (cause) {
    if (cause instanceof Refused) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Refused({ code: 'unreadable', file, why: 'other', message }, { cause });
  }
}

export function tokenIn(file: string, text: string): string {
  const token = text.trim();
  if (!TOKEN.test(token)) throw new Refused({ code: 'host-token-malformed', file });
  return token;
}
