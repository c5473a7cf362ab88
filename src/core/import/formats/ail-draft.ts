// A step of ail as a draft of a plan step, before the plan has been checked.

import type { SourceNode } from '../../plan/source/source-node.ts';
import { list, map, shortList, shortMap, fromJson, type Yaml } from '../../plan/print/yaml.ts';

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

/** What one element of `pipeline:` says, and where. */
export interface WrittenDraft {
  readonly id: string;
  readonly line: number;
  readonly node: SourceNode;
}

export function printDraft(draft: StepDraft): Yaml {
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
        : list(draft.onResult.map(({ when, rule }) => shortMap(['if', when], ['do', rule]))),
    ],
  );
}
