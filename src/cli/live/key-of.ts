// A key as the terminal library tells of it, by our names.
import type { Key } from './model/press.ts';

type Flag =
  | 'upArrow'
  | 'downArrow'
  | 'pageUp'
  | 'pageDown'
  | 'home'
  | 'end'
  | 'return'
  | 'escape'
  | 'backspace'
  | 'delete';

export type Flags = Readonly<Record<Flag | 'ctrl' | 'meta' | 'tab', boolean>>;

const NAMES = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['backspace', 'backspace'],
  // Many terminals send this for the key above enter.
  ['delete', 'backspace'],
] as const satisfies readonly (readonly [Flag, Key])[];

/** Undefined for a key that means nothing here. */
export function keyOf(typed: string, flags: Flags): Key | undefined {
  if (flags.ctrl) return typed === 'c' ? 'ctrl-c' : typed === 'z' ? 'ctrl-z' : undefined;
  const named = NAMES.find(([flag]) => flags[flag]);
  if (named !== undefined) return named[1];
  return typed === '' || flags.meta || flags.tab ? undefined : { typed };
}
