// The tokens of a project: one for each host and for each person, with a role.
//
// token-list/T1. A token is shown once, to whoever adds it. The file has its SHA-256 alone.
// token-list/T2. A name has one token that works. One that was revoked stays listed until its name is given again.
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { listOf, maybe, number, object, oneOf, text, WRONG } from '../../core/plan/json-fields.ts';
import { nearest } from '../../core/plan/language/nearest-name.ts';
import { Refused } from '../refused.ts';
import { readHomeFile, writeHomeFile } from '../home-file.ts';

/** `host` opens the routes of hosts and of git; `reader` reads; `operator` does what the dashboard can do. */
export const ROLES = ['host', 'operator', 'reader'] as const;

export type Role = (typeof ROLES)[number];

export interface AccessToken {
  readonly name: string;
  readonly role: Role;
  /** SHA-256 of the token. */
  readonly hash: string;
  readonly addedAt: number;
  /** Undefined works until it is revoked. */
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
}

export const tokensFile = (home: string): string => join(home, 'tokens.json');

/** So that no host has the name of the host inside a coordinator, and every name is safe in a path and a ref. */
const NAME = /^[a-z\d](?:[a-z\d-]|\.(?!\.|$)|_){0,62}$/i;
const SECRET_BYTES = 32;
const DAY_MS = 86_400_000;

export interface TokenRequest {
  readonly name: string;
  readonly role: Role;
  /** Undefined for a token that does not expire. */
  readonly days: number | undefined;
  readonly now: number;
}

/** Returns the token itself. */
export function addAccessToken(home: string, { name, role, days, now }: TokenRequest): string {
  if (!NAME.test(name)) throw new Refused({ code: 'token-name-malformed', name });
  const tokens = listTokens(home);
  if (tokens.some((each) => isSameName(each, name) && standingOf(each, now) === 'working'))
    throw new Refused({ code: 'token-name-taken', name });
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const expiresAt = days === undefined ? undefined : now + days * DAY_MS;
  const token: AccessToken = { name, role, hash: hashOf(secret), addedAt: now, expiresAt, revokedAt: undefined };
  write(home, [...tokens.filter((each) => !isSameName(each, name)), token]);
  return secret;
}

export function revokeToken(home: string, name: string, now: number): void {
  const tokens = listTokens(home);
  if (!tokens.some((each) => isSameName(each, name)))
    throw new Refused({
      code: 'token-unknown',
      name,
      like: nearest(
        name,
        tokens.map((token) => token.name),
      ),
    });
  write(
    home,
    tokens.map((token) => (isSameName(token, name) ? { ...token, revokedAt: token.revokedAt ?? now } : token)),
  );
}

/** In the order in which they were added. */
export function listTokens(home: string): readonly AccessToken[] {
  const file = readHomeFile(tokensFile(home));
  if (file.type === 'absent') return [];
  const tokens = file.type === 'read' ? tokensField(file.value) : WRONG;
  if (tokens === WRONG) throw new Refused({ code: 'tokens-unreadable', file: tokensFile(home) });
  return tokens;
}

/** Names are parts of paths, and some file systems do not tell capitals. */
const isSameName = (token: AccessToken, name: string): boolean => token.name.toLowerCase() === name.toLowerCase();

export type TokenStanding = 'working' | 'expired' | 'revoked';

export function standingOf({ expiresAt, revokedAt }: AccessToken, now: number): TokenStanding {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'working';
}

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const tokensField = listOf<AccessToken>(
  object<AccessToken>({
    name: text,
    role: oneOf({ host: true, operator: true, reader: true }),
    hash: text,
    addedAt: number,
    expiresAt: maybe(number),
    revokedAt: maybe(number),
  }),
);

const write = (home: string, tokens: readonly AccessToken[]): void => writeHomeFile(tokensFile(home), tokens);
