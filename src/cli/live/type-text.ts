// Typing at the foot of the live view: the words of a filter, or an answer to an agent.
import { graphemesOf } from '../../core/view/draw/label.ts';
import { LIST, type Focus } from './focus.ts';
import type { Key, Pressed } from './pressed.ts';

/** More than a person types; a paste beyond it is cut. */
const TYPED_MAX = 2_000;

export function typeText(focus: Focus, key: Key): Pressed {
  const { mode } = focus;
  if (mode.type === 'filter') {
    if (key === 'enter') return { focus: { ...focus, mode: LIST } };
    if (key === 'escape') return { focus: { ...focus, filter: '', mode: LIST } };
    return { focus: { ...focus, filter: typed(focus.filter, key) } };
  }
  if (mode.type !== 'answer') return { focus };
  const { task, step, text } = mode;
  if (key === 'escape') return { focus: { ...focus, mode: LIST }, says: 'Nothing was said.' };
  if (key !== 'enter') return { focus: { ...focus, mode: { ...mode, text: typed(text, key) } } };
  if (text.trim() === '') return { focus, says: 'Write what it should be told.' };
  const command = { type: 'answer', task, step, text: text.trim() } as const;
  return { focus: { ...focus, mode: LIST }, wish: { type: 'command', command } };
}

function typed(text: string, key: Key): string {
  if (key === 'backspace') return graphemesOf(text).slice(0, -1).join('');
  if (typeof key !== 'object') return text;
  const more = 'typed' in key ? key.typed : key.pasted;
  return `${text}${more.replaceAll(/[\r\n\t]+/g, ' ')}`.slice(0, TYPED_MAX);
}
