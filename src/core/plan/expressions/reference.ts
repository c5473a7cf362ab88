// What a template or an expression reads, and how reading or working it out can go wrong. Plain data.

/** A name that a text reads: `tasks.api.output.items[0]` has the root `tasks` and the path `api, output, items, 0`. */
export interface Reference {
  readonly root: string;
  readonly path: readonly (string | number)[];
  /** Where it begins in the text, counted from 0. */
  readonly offset: number;
  /** True when the way goes on from the end of `path` by something only known during the run: `steps[inputs.which]`. */
  readonly open: boolean;
  /** True when the text says itself what to do should the value be absent: `has(…)`, `.?`, `| default`, `{% if %}`. */
  readonly guarded: boolean;
}

export interface TextProblem {
  readonly message: string;
  readonly offset: number;
}

/** What a text reads and what is wrong with it; both known without any value. */
export interface TextFacts {
  readonly references: readonly Reference[];
  readonly problems: readonly TextProblem[];
}

/** Why a text gave no value. */
export interface ValueFailure {
  readonly type: 'failed';
  readonly reason: 'missing-name' | 'wrong-type' | 'syntax' | 'limit' | 'unsafe';
  /** The name that is missing; undefined for the other reasons. */
  readonly name: string | undefined;
  readonly message: string;
}

/** A reference the way people write it: `tasks.api.output[0]`, `tasks["api-v2"].ok`. */
export function writeReference(reference: Pick<Reference, 'root' | 'path'>): string {
  const parts = reference.path.map((segment) => {
    if (typeof segment === 'number') return `[${segment}]`;
    return /^[A-Za-z_][\w-]*$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
  });
  return reference.root + parts.join('');
}
