// Who has a token, for a server that looks at every request: the file is read again when it was replaced.
import type { Clock } from '../../shell/ports/clock.ts';
import { identityOf } from '../home-file.ts';
import {
  hashOf,
  listTokens,
  standingOf,
  tokensFile,
  type Role,
  type TokenStanding,
  type AccessToken,
} from './token-list.ts';

/** Who calls, by the token of the call. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
}

export type TokenFound =
  | { readonly type: 'known'; readonly caller: Caller }
  /** `wrong` was never given out. */
  | { readonly type: 'refused'; readonly why: 'wrong' | Exclude<TokenStanding, 'working'> };

export interface TokenBook {
  readonly find: (token: string) => TokenFound;
}

export function openTokenBook(home: string, clock: Clock): TokenBook {
  let identity: string | undefined;
  let byHash: ReadonlyMap<string, AccessToken> = new Map();
  const read = (): ReadonlyMap<string, AccessToken> => {
    const found = identityOf(tokensFile(home));
    if (found === identity) return byHash;
    byHash = new Map(listTokens(home).map((token) => [token.hash, token]));
    identity = found;
    return byHash;
  };
  return {
    // The hash of what was given is looked up, so the time that this takes says nothing of any token.
    find: (given) => {
      const token = read().get(hashOf(given));
      if (token === undefined) return { type: 'refused', why: 'wrong' };
      const standing = standingOf(token, clock.now());
      if (standing !== 'working') return { type: 'refused', why: standing };
      return { type: 'known', caller: { name: token.name, role: token.role } };
    },
  };
}
