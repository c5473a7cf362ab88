// Maps keys of the terminal library to our names.
import { graphemesOf } from '../../core/view/draw/label.ts';
import type { Key } from './focus.ts';

type Flag =
  | 'upArrow'
  | 'downArrow'
  | 'leftArrow'
  | 'rightArrow'
  | 'pageUp'
  | 'pageDown'
  | 'home'
  | 'end'
  | 'return'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'tab';

export type Flags = Readonly<Record<Flag | 'ctrl' | 'meta', boolean>>;

const NAMES = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  // Many terminals send this for the key above enter.
  ['delete', 'backspace'],
] as const satisfies readonly (readonly [Flag, Key])[];

/** The sequences of these keys; the library names a key only when it arrives alone. Pasted text arrives separately. */
const AMONG_OTHERS: ReadonlyMap<string, Key> = new Map([
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\r\n', 'enter'],
  ['\b', 'backspace'],
  ['\u007F', 'backspace'],
]);

/** None for a key that means nothing here; several when a person typed faster than we listened. */
export function keysOf(typed: string, flags: Flags): readonly Key[] {
  if (flags.ctrl) return typed === 'c' ? ['ctrl-c'] : typed === 'z' ? ['ctrl-z'] : [];
  const named = NAMES.find(([flag]) => flags[flag]);
  if (named !== undefined) return [named[1]];
  return flags.meta ? [] : graphemesOf(typed).map((each) => AMONG_OTHERS.get(each) ?? { typed: each });
}
