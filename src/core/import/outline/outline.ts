// The outline that every format is read into: a tree of items as their file has them, before a plan is made of it.
//
// outline/I1. An item keeps the name by which its file refers to it (`key`), and items are looked up by key alone.
// outline/I2. Done items stay in the outline, so that the path of a task never depends on which items are done.

import type { YamlEntry } from '../../plan/print/yaml.ts';

/** A file to import, and its text as it is on disk, byte order mark and all. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** Something that could not be converted. */
export interface ImportNote {
  readonly file: string;
  /** Counted from 1; undefined when it is about the whole file. */
  readonly line: number | undefined;
  readonly says: string;
}

/** Why there is no plan: one sentence, and where. */
export interface ImportError {
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly says: string;
}

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/** The place of an item's status in its file, as offsets into the text, so that it can be updated. */
export type CheckboxMark =
  | { readonly type: 'box'; readonly file: string; readonly at: number }
  | { readonly type: 'word'; readonly file: string; readonly start: number; readonly end: number };

/**
 * `put-off` is left for later on purpose, and with it all that waits for it. `folded` is done by the task of the item after
 * it.
 */
export type ItemState = 'open' | 'done' | 'put-off' | 'folded';

export type ItemWork =
  | { readonly type: 'prompt'; readonly prompt: string }
  | { readonly type: 'steps'; readonly steps: readonly { readonly id: string; readonly prompt: string }[] }
  | { readonly type: 'gate'; readonly question: string }
  /** Nothing of its own; it only holds other items. */
  | { readonly type: 'group' };

export interface Item {
  readonly key: string;
  /** The name of the task, as far as an id can express it. */
  readonly id: string;
  readonly place: SourcePlace;
  readonly state: ItemState;
  /** Keys of the items that must be done before it. */
  readonly needs: readonly string[];
  /** Keys of the items before it, where order counts; a done item is replaced by the items before that one. */
  readonly after: readonly string[];
  readonly description: string | undefined;
  readonly work: ItemWork;
  readonly files: readonly string[];
  readonly check: string | undefined;
  readonly estimateMs: number | undefined;
  readonly mark: CheckboxMark | undefined;
  /** A person or agent is already working on it. */
  readonly isBegun?: boolean;
  /** The key of the item whose task does this one too. */
  readonly foldedInto?: string;
  /** Keys of the items that its task does too. */
  readonly folds?: readonly string[];
  readonly items: readonly Item[];
}

export interface ImportOutline {
  readonly type: 'outline';
  readonly name: string;
  readonly items: readonly Item[];
  readonly notes: readonly ImportNote[];
}

/** A plan that needs no outline, since its format says itself what a step is. */
export interface ReadyPlan {
  readonly type: 'written';
  readonly entries: readonly YamlEntry[];
  readonly notes: readonly ImportNote[];
}

export interface ImportRefusal {
  readonly type: 'refused';
  readonly trouble: ImportError;
}

export type Read = ImportOutline | ReadyPlan | ImportRefusal;

export const refusedImport = (file: string, line: number | undefined, says: string): ImportRefusal => ({
  type: 'refused',
  trouble: { file, line, column: undefined, says },
});

/** An item with defaults; the reader of the format sets the rest. */
export function plainItem(given: Pick<Item, 'key' | 'id' | 'place' | 'work'> & Partial<Item>): Item {
  return {
    state: 'open',
    needs: [],
    after: [],
    description: undefined,
    files: [],
    check: undefined,
    estimateMs: undefined,
    mark: undefined,
    items: [],
    ...given,
  };
}
