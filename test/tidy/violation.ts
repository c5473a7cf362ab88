// What a rule says about the tree. It teaches: where, which rule, why, and what to do instead.

export interface Violation {
  readonly path: string;
  readonly line: number;
  /** What was found and why it is not wanted: one sentence, without a full stop. */
  readonly says: string;
  /** One sentence in the imperative, without a full stop. */
  readonly instead: string;
  /** Where the rule stands: `STYLE 11`. */
  readonly rule: string;
}

export const show = (violation: Violation): string =>
  `${violation.path}:${violation.line} ${violation.says} (${violation.rule}). ${violation.instead}.`;

/** Fails, with every violation on a line of its own, unless there is none. */
export function holds(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  const lines = violations.map(show).toSorted();
  const places = lines.length === 1 ? 'One place differs' : `${lines.length} places differ`;
  const error = new Error(`${places} from the house style.\n${lines.join('\n')}`);
  // The stack would point at this line, and the reader needs the lines above it.
  error.stack = '';
  throw error;
}
