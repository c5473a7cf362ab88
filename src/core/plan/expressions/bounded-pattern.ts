// Regular expressions with bounded matching time.
//
// bounded-pattern/R1. Accepted patterns repeat no part that contains a repetition or a choice, have no lookaround and
//   no backreferences, and contain few repetitions; so matching takes at most a small power of the text's length.

const PATTERN_LENGTH_MAX = 500;
const REPEATS_MAX = 6;

interface PatternGroup {
  /** Contains a repetition or a choice, so it may not itself be repeated. */
  branching: boolean;
}

export function isPatternBounded(pattern: string): boolean {
  if (pattern.length > PATTERN_LENGTH_MAX || !isPattern(pattern)) return false;
  if (/\(\?(?:[=!<])/.test(pattern) || /\\(?:[1-9]|k)/.test(pattern)) return false;
  const groups: PatternGroup[] = [{ branching: false }];
  let repeats = 0;
  let closed: PatternGroup | undefined;
  for (const [piece] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?:)?|\)|[*+]\??|\{\d*,?\d*\}\??|\?|\||./gs)) {
    const inner = groups.at(-1);
    if (inner === undefined) return false;
    if (isUnboundedRepeat(piece)) {
      repeats += 1;
      if (closed?.branching === true || repeats > REPEATS_MAX) return false;
      inner.branching = true;
    }
    if (piece === '|') inner.branching = true;
    closed = undefined;
    if (piece.startsWith('(')) groups.push({ branching: false });
    if (piece === ')') {
      closed = groups.pop();
      if (closed?.branching === true) groups.forEach((group) => (group.branching = true));
    }
  }
  return true;
}

function isUnboundedRepeat(piece: string): boolean {
  return /^[*+]/.test(piece) || /^\{\d+,?\d*\}/.test(piece);
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch (cause) {
    return !(cause instanceof Error);
  }
}
