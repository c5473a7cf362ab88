// Something wrong in a plan: what, where and what to do. Diagnostics are values; nothing is thrown.

/** Where in the text, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The way to a value in the plan file: `['tasks', 'api', 'steps', 0, 'prompt']`. */
export type SourcePath = readonly (string | number)[];

export interface Diagnostic {
  /** Stable, kebab-case: `unknown-key`. The reference has a page part for each. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** One sentence: what is wrong. */
  readonly message: string;
  /** One sentence: what to do about it. */
  readonly hint: string;
  readonly file: string;
  readonly position: Position;
  readonly path: SourcePath;
}
