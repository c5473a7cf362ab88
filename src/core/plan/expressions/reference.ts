// References of templates and expressions, and the failures of reading and evaluating them. Plain data.

/** A name that a text reads: `tasks.api.output.items[0]` has the root `tasks` and the path `api, output, items, 0`. */
export interface Reference {
  readonly root: string;
  readonly path: readonly (string | number)[];
  /** The offset of the reference in the text, from 0. */
  readonly offset: number;
  /**
   * True when the reference continues after `path` with a part that is known only during the run:
   * `steps[inputs.which]`.
   */
  readonly open: boolean;
  /** True when the text handles an absent value itself: `has(…)`, `.?`, `| default`, `{% if %}`. */
  readonly guarded: boolean;
}

export interface TextProblem {
  readonly message: string;
  readonly offset: number;
}

/** The references and faults of a text, known without any values. */
export interface TextFacts {
  readonly references: readonly Reference[];
  readonly problems: readonly TextProblem[];
}

/** Why a text gave no value. */
export interface ValueFailure {
  readonly type: 'failed';
  readonly reason: 'missing-name' | 'wrong-type' | 'syntax' | 'limit' | 'unsafe';
  /** The missing name; undefined for the other reasons. */
  readonly name: string | undefined;
  readonly message: string;
}

/** A reference in the notation of plans: `tasks.api.output[0]`, `tasks["api-v2"].ok`. */
export function writeReference(reference: Pick<Reference, 'root' | 'path'>): string {
  const parts = reference.path.map((segment) => {
    if (typeof segment === 'number') return `[${segment}]`;
    return /^[A-Za-z_][\w-]*$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
  });
  return reference.root + parts.join('');
}
