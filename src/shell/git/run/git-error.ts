// Trouble with git itself: a damaged repository, a full disk, a program that is not there. What git may well answer is
// never trouble: a conflict, a ref that moved and a name that means nothing are values.

/** The message is a sentence for a person: what was tried, where, and what git said. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** For deeds that end in a tagged union: trouble becomes one of its variants, a bug stays a bug. */
export async function errorAsValue<Outcome>(
  deed: () => Promise<Outcome>,
): Promise<Outcome | { readonly type: 'failed'; readonly message: string }> {
  try {
    return await deed();
  } catch (cause) {
    if (cause instanceof GitError) return { type: 'failed', message: cause.message };
    throw cause;
  }
}
