// A step of ail as a draft of a plan step, before the plan has been checked.
// Drafts are written as a plan and checked, and what fails is removed until the plan is valid.
//
// ail-draft/S1. It ends: each round removes something, and in the end only prompts in sequence are left.
// ail-draft/S2. Everything that is removed is reported.

import type { SourceNode } from '../../plan/source/source-node.ts';
import {
  fromJson,
  yamlList,
  map,
  shortList,
  shortMap,
  writeYaml,
  type Yaml,
  type YamlEntry,
} from '../../plan/print/yaml.ts';
import type { Diagnostic, SourcePath } from '../../plan/diagnostic.ts';
import { parsePlan } from '../../plan/build/parse.ts';
import { literal } from '../outline/safe-text.ts';
import type { ImportNote, ReadyPlan } from '../outline/outline.ts';

export type AilRule = 'abort' | 'continue' | 'retry' | 'gate';

export interface StepDraft {
  readonly id: string;
  readonly line: number;
  readonly work:
    | { readonly type: 'prompt'; readonly prompt: string; readonly words: string }
    | { readonly type: 'run'; readonly run: string; readonly words: string }
    | { readonly type: 'join' };
  readonly async: boolean;
  readonly needs: readonly string[];
  readonly when: string | undefined;
  readonly agent: string | undefined;
  readonly resume: boolean | undefined;
  readonly attempts: number | undefined;
  readonly onError: string | undefined;
  readonly onResult: readonly { readonly when: string; readonly rule: AilRule }[];
  readonly output: unknown;
}

/** One element of `pipeline:`, and its position. */
export interface WrittenDraft {
  readonly id: string;
  readonly line: number;
  readonly node: SourceNode;
}

function printDraft(draft: StepDraft): Yaml {
  const { work } = draft;
  return map(
    ['id', draft.id],
    ['async', draft.async ? true : undefined],
    ['needs', draft.needs.length === 0 ? undefined : shortList(draft.needs)],
    ['when', draft.when],
    ['agent', work.type === 'prompt' ? draft.agent : undefined],
    ['resume', work.type === 'prompt' ? draft.resume : undefined],
    ['attempts', draft.attempts],
    ['prompt', work.type === 'prompt' ? work.prompt : undefined],
    ['run', work.type === 'run' ? work.run : undefined],
    ['action', work.type === 'join' ? 'join' : undefined],
    ['output', draft.output === undefined ? undefined : fromJson(draft.output)],
    ['on_error', draft.onError],
    [
      'on_result',
      draft.onResult.length === 0
        ? undefined
        : yamlList(draft.onResult.map(({ when, rule }) => shortMap(['if', when], ['do', rule]))),
    ],
  );
}

interface SettledInput {
  readonly path: string;
  /** Asked for anew each time, since it says which values the steps read. */
  readonly head: () => readonly YamlEntry[];
  readonly task: readonly YamlEntry[];
  readonly drafts: readonly StepDraft[];
  readonly notes: readonly ImportNote[];
}

const LINES_MAX = 12;
const TASK = 'pipeline';

export function settleDrafts(given: SettledInput): ReadyPlan {
  const notes = [...given.notes];
  let { drafts, task } = given;
  for (let look = 0; look < LINES_MAX; look += 1) {
    const entries = entriesOf(given, task, drafts);
    const wrong = wrongIn(entries);
    if (wrong.length === 0) return { type: 'written', entries, notes };
    const places = new Set(wrong.map(({ path }) => stepAt(path)));
    if (places.has(undefined)) task = task.filter(([key]) => key === 'description');
    drafts = drafts.map((draft, at) => {
      const own = wrong.filter(({ path }) => stepAt(path) === at);
      for (const { message } of own)
        notes.push({
          file: given.path,
          line: draft.line,
          says: `${draft.id}: left out what cannot be so in a plan. ${message}`,
        });
      return own.reduce((less, { path }) => withLess(less, path), draft);
    });
  }
  notes.push({
    file: given.path,
    line: undefined,
    says: 'So much does not fit a plan that only its prompts and commands were kept, one after the other.',
  });
  return { type: 'written', entries: entriesOf(given, [], drafts.flatMap(bare)), notes };
}

const entriesOf = (
  given: SettledInput,
  task: readonly YamlEntry[],
  drafts: readonly StepDraft[],
): readonly YamlEntry[] => [
  ...given.head(),
  ['tasks', map([TASK, map(...task, ['steps', yamlList(drafts.map(printDraft))])])],
];

const wrongIn = (entries: readonly YamlEntry[]): readonly Diagnostic[] =>
  parsePlan(writeYaml(map(...entries)), { file: TASK }).diagnostics.filter(({ severity }) => severity === 'error');

/** The place of a step among its siblings. */
function stepAt(path: SourcePath): number | undefined {
  const [, , key, at] = path;
  return key === 'steps' && typeof at === 'number' ? at : undefined;
}

/** The step without what a diagnostic is about; without everything that can be wrong, when it does not say what. */
function withLess(draft: StepDraft, path: SourcePath): StepDraft {
  switch (path[4]) {
    case 'when':
      return { ...draft, when: undefined };
    case 'on_result':
      return { ...draft, onResult: [] };
    case 'on_error':
      return { ...draft, onError: undefined };
    case 'output':
      return { ...draft, output: undefined };
    case 'resume':
      return { ...draft, resume: undefined };
    case 'async':
      return { ...draft, async: false };
    case 'needs':
      return withoutNeed(draft, path[5]);
    case 'prompt':
    case 'run':
      return { ...draft, work: asWords(draft) };
    default:
      return plain(draft);
  }
}

function withoutNeed(draft: StepDraft, at: string | number | undefined): StepDraft {
  return { ...draft, needs: typeof at === 'number' ? draft.needs.filter((_, nth) => nth !== at) : [] };
}

function asWords({ work }: StepDraft): StepDraft['work'] {
  if (work.type === 'join') return work;
  const words = work.type === 'run' ? `Run this command and say what it came to: ${work.words}` : work.words;
  return { type: 'prompt', prompt: literal(words), words };
}

function plain(draft: StepDraft): StepDraft {
  const work: StepDraft['work'] =
    draft.work.type === 'join' && draft.needs.length === 0 ? { type: 'run', run: ':', words: ':' } : draft.work;
  return { ...draft, work, when: undefined, onResult: [], output: undefined, resume: undefined, onError: undefined };
}

/** Nothing but words, in a row. */
function bare(draft: StepDraft): readonly StepDraft[] {
  if (draft.work.type === 'join') return [];
  return [{ ...plain(draft), work: asWords(draft), async: false, needs: [], agent: undefined, attempts: undefined }];
}
