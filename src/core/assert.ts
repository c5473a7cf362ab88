/** For what only a bug of ours can break. It stops the program; the log is intact, so stopping is safe. */
export function assert(condition: unknown, sentence: string): asserts condition {
  if (condition) return;
  const bug = new Error(sentence);
  bug.name = 'Bug';
  throw bug;
}

/** Reads an array at an index that the caller knows to lie inside it; costs nothing once compiled. */
export function at(array: Int32Array, index: number): number {
  const value = array[index];
  assert(value !== undefined, 'An index lies outside its array.');
  return value;
}
