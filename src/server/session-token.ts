// The token of a server, and the one-time codes by which a browser that the server opens gets it.
//
// A code is in the arguments of the program that opens the browser, where any process of the same person can read it. So it
// works once and for a moment; and when it is used twice, one of the two was not the browser, and the token is replaced.
import { randomBytes } from 'node:crypto';
import { isSameSecret } from './guard.ts';

const SECRET_BYTES = 32;
const CODE_VALID_MS = 30_000;

export interface SessionToken {
  readonly current: () => string;
  readonly makeCode: () => string;
  /** The token, once; undefined for a code that is unknown, old or used. */
  readonly redeem: (code: string) => string | undefined;
}

/** `given` is the first token; undefined makes one. */
export function makeSessionToken(given: string | undefined, onReplaced: () => void): SessionToken {
  let token = given ?? makeSecret();
  let code: { readonly text: string; readonly madeAt: number; isUsed: boolean } | undefined;
  return {
    current: () => token,
    makeCode: () => {
      code = { text: makeSecret(), madeAt: performance.now(), isUsed: false };
      return code.text;
    },
    redeem: (redeemed) => {
      if (code === undefined || !isSameSecret(redeemed, code.text)) return undefined;
      if (performance.now() - code.madeAt > CODE_VALID_MS) return undefined;
      if (code.isUsed) {
        code = undefined;
        token = makeSecret();
        onReplaced();
        return undefined;
      }
      code.isUsed = true;
      return token;
    },
  };
}

export const makeSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
