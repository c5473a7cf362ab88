// A diagnostic of a plan: the fault, its position and a hint. Diagnostics are values; nothing is thrown.

/** A position in the text, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The way to a value in the plan file: `['tasks', 'api', 'steps', 0, 'prompt']`. */
export type SourcePath = readonly (string | number)[];

/** One mistake or warning in a text: where it is, what is wrong and what to do. */
export interface Diagnostic {
  /** Stable, kebab-case: `unknown-key`. The reference has a page part for each. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** The fault, as one sentence. */
  readonly message: string;
  /** The fix, as one sentence. */
  readonly hint: string;
  readonly file: string;
  readonly position: Position;
  readonly path: SourcePath;
}
