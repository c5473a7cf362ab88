// One thing that is wrong with a draft, in the form of a diagnostic: a code, a place, a sentence and a remedy.
import type { Diagnostic, Position, SourcePath } from '../plan/diagnostic.ts';
import { nodeAt, offsetOf, type SourceNode } from '../plan/source/source-node.ts';
import { readYaml } from '../plan/source/read-yaml.ts';
import { positionAt } from '../plan/source/source-reader.ts';

/** The codes that are a draft's alone; the others are codes of diagnostics and of findings about nets. */
export const DRAFT_CODES = {
  'no-plan': 'The answer holds no plan.',
  'half-plan': 'The answer ends in the middle of the plan.',
  'too-many-tasks': 'The plan has more tasks than a draft may have.',
  'set-by-people': 'The draft sets a key that only a person sets.',
  'other-repository': 'The files that the tasks write are not of this repository.',
  'files-outside': 'A task means to write outside the repository.',
  'files-missing': 'A task that may run beside others does not say what it writes.',
  'task-unchecked': 'No check judges the work of a task.',
  'check-missing': 'A check calls a script that the repository does not have.',
  'task-too-large': 'A task is too large for one turn of an agent.',
  'agent-missing': 'The plan names an agent that is not installed here.',
  'over-time': 'The plan takes longer than was asked for.',
  'over-budget': 'The plan costs more than was asked for.',
  'no-ceiling': 'The plan sets no ceiling although one was asked for.',
} as const satisfies Readonly<Record<string, string>>;

export interface DraftFinding {
  /** A code of a draft, of a diagnostic or of a net. */
  readonly code: string;
  /** A draft with an error is never accepted. Advice goes back to the agent, and then to a person. */
  readonly severity: 'error' | 'advice';
  readonly message: string;
  readonly hint: string;
  /** In the text of the draft. */
  readonly position: Position | undefined;
  /** The path of the task, where the finding is about one. */
  readonly task: string | undefined;
}

export const ofDiagnostic = (diagnostic: Diagnostic): DraftFinding => ({
  code: diagnostic.code,
  severity: diagnostic.severity === 'error' ? 'error' : 'advice',
  message: diagnostic.message,
  hint: diagnostic.hint,
  position: diagnostic.position,
  task: undefined,
});

/** The text of a draft with its positions. */
export interface DraftSource {
  readonly root: SourceNode | undefined;
  readonly positionOf: (path: SourcePath) => Position | undefined;
}

export function readDraft(text: string): DraftSource {
  const { reading, root } = readYaml('draft', text);
  return {
    root,
    positionOf: (path) => (root === undefined ? undefined : positionAt(reading, offsetOf(root, path))),
  };
}

/** The value at a path of the draft as plain data; undefined when there is none. */
export function valueAt({ root }: DraftSource, path: SourcePath): unknown {
  const node = root === undefined ? undefined : nodeAt(root, path);
  return node === undefined ? undefined : plainOf(node);
}

function plainOf(node: SourceNode): unknown {
  switch (node.type) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(plainOf);
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainOf(value)]));
  }
}

/** The keys of the map at a path; none for anything else. */
export function keysAt({ root }: DraftSource, path: SourcePath): readonly string[] {
  const node = root === undefined ? undefined : nodeAt(root, path);
  return node?.type === 'map' ? node.entries.map(({ key }) => key) : [];
}

/** Where a task stands in the file: `reviews.security` is `tasks: reviews: tasks: security`. */
export const sourcePathOf = (task: string): SourcePath => task.split('.').flatMap((id) => ['tasks', id]);
