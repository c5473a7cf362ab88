// The focus of one person at a live view: the chosen row, folds, filter, scroll position and typed text. It is no part of
// the run, and each observer has their own.
import type { Command } from '../../core/engine/command.ts';
import type { PlacedTasks } from './list-order.ts';

export interface Focus {
  /** The key of a row, which of a task is its path; undefined while the view follows the first task of the list. */
  readonly chosen: string | undefined;
  /** The line of the list with the chosen row. */
  readonly line: number;
  /** Rows folded and unfolded by the person, by key. */
  readonly folds: ReadonlyMap<string, 'folded' | 'open'>;
  readonly filter: string;
  /** The positions of the tasks in the last view, so that they keep them. */
  readonly placed: PlacedTasks;
  readonly pane: Pane;
  readonly mode: FocusMode;
}

/** The pane beside the list, which is the whole body of a narrow screen. */
export interface Pane {
  readonly shows: 'output' | 'why' | 'turns';
  /** How many attempts before the latest one. */
  readonly attemptsBack: number;
  /** The position of the first row in sight; undefined stays at the end of an output, and at the start of other texts. */
  readonly top: number | undefined;
  readonly search: string;
  /** Where a key wants to go from there; how far that is, only the layout knows. */
  readonly move: PaneMove | undefined;
}

export type PaneMove =
  | { readonly type: 'rows'; readonly by: number }
  /** To another row that has the words of the search. */
  | { readonly type: 'match'; readonly by: 1 | -1 };

export const PANE: Pane = { shows: 'output', attemptsBack: 0, top: undefined, search: '', move: undefined };

/** Which question of which task. */
export interface QuestionRef {
  readonly task: string;
  readonly step: string | undefined;
}

export type FocusMode =
  | { readonly type: 'list' }
  /** Keys scroll and search the pane. */
  | { readonly type: 'pane' }
  | { readonly type: 'filter' }
  | { readonly type: 'search' }
  /** A page in the place of the list: the keys, or the plan with its states. */
  | { readonly type: 'help' | 'plan'; readonly top: number }
  /** Asks before it is done. */
  | { readonly type: 'confirm'; readonly question: string; readonly wish: Wish }
  /** A question in full, and the keys that answer it. */
  | ({ readonly type: 'question'; readonly top: number; readonly isRead: boolean } & QuestionRef)
  /** Words for an agent that asks. */
  | ({ readonly type: 'answer'; readonly text: string } & QuestionRef);

/** A key's request to the world outside the view. */
export type Wish =
  | { readonly type: 'command'; readonly command: Command }
  | { readonly type: 'diff'; readonly task: string }
  /** To leave a run that another process coordinates. */
  | { readonly type: 'leave' }
  /** The effect of Ctrl-C and Ctrl-Z where the keyboard is not read key by key. */
  | { readonly type: 'interrupt' }
  | { readonly type: 'suspend' };

export const LIST: FocusMode = { type: 'list' };

export const FOCUS: Focus = {
  chosen: undefined,
  line: 0,
  folds: new Map(),
  filter: '',
  placed: [],
  pane: PANE,
  mode: LIST,
};

/** A key by its name, or typed text. */
export type Key =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'pageup'
  | 'pagedown'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'tab'
  | 'ctrl-c'
  | 'ctrl-z'
  /** One character. */
  | { readonly typed: string }
  | { readonly pasted: string };

/** The result of a key. */
export interface Pressed {
  readonly focus: Focus;
  readonly wish?: Wish;
  /** A message to the person; undefined clears the previous one. */
  readonly says?: string;
}
