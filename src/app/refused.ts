// What a use case throws when it did nothing.
//
// Use cases throw `Refused` for what the caller must change before they can do anything. Everything that a run or the world
// did comes back as a tagged result instead.
import type { GitFailure } from '../core/protocol/git-failure.ts';
import type { StoreFailure } from '../core/protocol/store-failure.ts';
import type { Refusal } from '../core/view/text/refusal.ts';
import { machineTroubleOf } from './machine-trouble.ts';

export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.code, options);
    this.refusal = refusal;
  }
}

/** What a use case, the store or git refused; undefined for a bug of ours. */
export function refusalOf(cause: unknown): Refusal | undefined {
  if (cause instanceof Refused) return cause.refusal;
  if (!(cause instanceof Error && 'failure' in cause)) return machineTroubleOf(cause);
  // Recognized by name, so that a caller loads neither the store nor git.
  switch (cause.name) {
    case 'StoreError': {
      // Errors of this name have no other failure.
      const failure = cause.failure as StoreFailure;
      return { code: 'store', failure };
    }
    case 'GitError': {
      // Errors of this name have no other failure.
      const failure = cause.failure as GitFailure;
      return { code: 'git', failure };
    }
    default:
      return undefined;
  }
}
