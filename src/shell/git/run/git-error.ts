// Errors of git itself: a damaged repository, a full disk, a missing program. Expected answers are never errors: a
// conflict, a moved ref and an unknown name are values.
import { gitFailureText, type GitFailure } from '../../../core/protocol/git-failure.ts';

/** The message is the sentence of its failure. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly failure: GitFailure;

  constructor(failure: GitFailure, options?: ErrorOptions) {
    super(gitFailureText(failure), options);
    this.failure = failure;
  }
}

export interface GitFailed {
  readonly type: 'failed';
  readonly failure: GitFailure;
}

/** The user's repository or the caller's request forbids it; nothing was changed. */
export interface GitRefused {
  readonly type: 'refused';
  readonly failure: GitFailure;
}

export const refusedBy = (failure: GitFailure): GitRefused => ({ type: 'refused', failure });

/** For operations that return a tagged union: a GitError becomes one of its variants, a bug is rethrown. */
export async function errorAsValue<Outcome>(action: () => Promise<Outcome>): Promise<Outcome | GitFailed> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof GitError) return { type: 'failed', failure: cause.failure };
    throw cause;
  }
}
