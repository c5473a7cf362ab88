// Errors of git itself: a damaged repository, a full disk, a missing program. Expected answers are never errors: a
// conflict, a moved ref and an unknown name are values.

/** The message is a sentence for a person: the operation, the place, and git's own message. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** For operations that return a tagged union: a GitError becomes one of its variants, a bug is rethrown. */
export async function errorAsValue<Outcome>(
  action: () => Promise<Outcome>,
): Promise<Outcome | { readonly type: 'failed'; readonly message: string }> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof GitError) return { type: 'failed', message: cause.message };
    throw cause;
  }
}
