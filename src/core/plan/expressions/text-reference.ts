// References of templates and expressions, and the failures of reading and evaluating them.
//
// text-reference/R1. The nearest scope with a task of that name wins, unless the next part is no field of a task and an
//   outer scope resolves the whole path.
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

/** The readable fields of a task or step. */
export const FIELDS: readonly string[] = ['response', 'output', 'ok', 'exit_code', 'commit', 'cost'];

/** The tasks of a plan as their reader sees them; undefined represents the plan itself. */
interface TaskTree<Task> {
  readonly parentOf: (task: Task) => Task | undefined;
  readonly childOf: (around: Task | undefined, segment: string | number) => Task | undefined;
}

export interface TaskPath<Task> {
  readonly target: Task;
  /** The part after the task: `output`, `score`. */
  readonly rest: readonly (string | number)[];
}

/** Undefined when no scope has a task of this name. */
export function resolveTaskPath<Task>(
  tree: TaskTree<Task>,
  from: Task,
  path: Reference['path'],
): TaskPath<Task> | undefined {
  let partial: TaskPath<Task> | undefined;
  for (let scope = tree.parentOf(from); ; scope = tree.parentOf(scope)) {
    const found = descend(tree, scope, path);
    const [field] = found?.rest ?? [];
    if (found !== undefined && (field === undefined || FIELDS.includes(String(field)))) return found;
    partial ??= found;
    if (scope === undefined) return partial;
  }
}

function descend<Task>(
  { childOf }: TaskTree<Task>,
  scope: Task | undefined,
  path: Reference['path'],
): TaskPath<Task> | undefined {
  let target = scope;
  let taken = 0;
  for (const segment of path) {
    const inner = childOf(target, segment);
    if (inner === undefined) break;
    target = inner;
    taken += 1;
  }
  return target === undefined || taken === 0 ? undefined : { target, rest: path.slice(taken) };
}
