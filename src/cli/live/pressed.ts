// A key, and what pressing it comes to.
import type { Focus, Wish } from './focus.ts';

/** A key by its name, or what was typed. */
export type Key =
  | 'up'
  | 'down'
  | 'pageup'
  | 'pagedown'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'ctrl-c'
  | 'ctrl-z'
  /** One character. */
  | { readonly typed: string }
  | { readonly pasted: string };

export interface Pressed {
  readonly focus: Focus;
  readonly wish?: Wish;
  /** A word to the person; undefined says nothing, and what was said is wiped out. */
  readonly says?: string;
}
