// The nearest known word by edit distance, where swapping two neighbours counts as one edit.

/** Undefined when no known word is near enough. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(fold(word), fold(candidate));
    // A single letter is one edit away from every other letter and has nothing in common with it.
    const isAlike = distance < Math.max(word.length, candidate.length);
    if (isAlike && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `maxParallel`, `max-parallel` and `max_parallel` are compared as one word. */
function fold(word: string): string {
  return word
    .replace(/[a-z][A-Z]/g, (pair) => `${pair.charAt(0)}_${pair.charAt(1)}`)
    .replaceAll('-', '_')
    .toLowerCase();
}

function editDistance(left: string, right: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const edits = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (twoAbove[column - 2] ?? 0) + 1 : Infinity,
      );
      current.push(edits);
    }
    twoAbove = above;
    above = current;
  }
  return above[right.length] ?? 0;
}
