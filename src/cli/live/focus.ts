// What the person at a live view has chosen, folded, filtered and begun to type. It is theirs alone: of the run it says
// nothing, and another who watches has their own.
import type { Command } from '../../core/engine/command.ts';

export interface Focus {
  /** The key of a row, which of a task is its path; undefined as long as the view is left to follow what is at work. */
  readonly chosen: string | undefined;
  /** On which line of the list the chosen task stands; while nothing is chosen, how far the list is scrolled. */
  readonly line: number;
  /** What the person folded and unfolded, by path; `''` is the plan itself. */
  readonly folds: ReadonlyMap<string, 'folded' | 'open'>;
  readonly filter: string;
  readonly mode: Mode;
}

export type Mode =
  | { readonly type: 'list' }
  | { readonly type: 'filter' }
  | { readonly type: 'help' }
  /** The output of a task; `back` is how many lines before its end. */
  | { readonly type: 'log'; readonly task: string; readonly back: number }
  /** Asks before it is done. */
  | { readonly type: 'confirm'; readonly question: string; readonly wish: Wish }
  /** Words for an agent that asks. */
  | { readonly type: 'answer'; readonly task: string; readonly step: string | undefined; readonly text: string };

/** What a key asks of the world outside the view. */
export type Wish =
  | { readonly type: 'command'; readonly command: Command }
  | { readonly type: 'diff'; readonly task: string }
  /** To go away from a run that others carry out. */
  | { readonly type: 'leave' }
  /** As Ctrl-C and Ctrl-Z would, were the keyboard not ours. */
  | { readonly type: 'interrupt' }
  | { readonly type: 'suspend' };

export const FOCUS: Focus = { chosen: undefined, line: 0, folds: new Map(), filter: '', mode: { type: 'list' } };

export const LIST: Mode = { type: 'list' };
