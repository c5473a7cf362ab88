/** For what only a bug of ours can break. It stops the program; the log is intact, so stopping is safe. */
export function assert(condition: unknown, sentence: string): asserts condition {
  if (condition) return;
  const bug = new Error(sentence);
  bug.name = 'Bug';
  throw bug;
}
