// Typing in the live view: the words of a filter or a search, or an answer to an agent.
import { graphemesOf } from '../../core/view/draw/label.ts';
import { LIST, type Focus, type Key, type Pressed } from './focus.ts';

/** More than a person types; a paste beyond it is cut. */
const TYPED_MAX = 2_000;

export function typeText(focus: Focus, key: Key): Pressed {
  const { mode, pane } = focus;
  switch (mode.type) {
    case 'filter':
      if (key === 'enter') return { focus: { ...focus, mode: LIST } };
      if (key === 'escape') return { focus: { ...focus, filter: '', mode: LIST } };
      return { focus: { ...focus, filter: typed(focus.filter, key) } };
    case 'search':
      if (key === 'enter')
        return { focus: { ...focus, mode: { type: 'pane' }, pane: { ...pane, ...firstMatch(pane.search) } } };
      if (key === 'escape') return { focus: { ...focus, mode: { type: 'pane' }, pane: { ...pane, search: '' } } };
      return { focus: { ...focus, pane: { ...pane, search: typed(pane.search, key) } } };
    case 'answer':
      return typeAnswer(focus, mode, key);
    case 'list':
    case 'pane':
    case 'help':
    case 'plan':
    case 'confirm':
    case 'question':
      return { focus };
  }
}

/** From the end back, as one reads a log. */
const firstMatch = (search: string): Partial<Focus['pane']> =>
  search === '' ? {} : { move: { type: 'match', by: -1 } };

type AnswerMode = Extract<Focus['mode'], { type: 'answer' }>;

function typeAnswer(focus: Focus, mode: AnswerMode, key: Key): Pressed {
  const { task, step, text } = mode;
  if (key === 'escape')
    return {
      focus: { ...focus, mode: { type: 'question', task, step, top: 0, isRead: true } },
      says: 'Nothing was sent.',
    };
  if (key !== 'enter') return { focus: { ...focus, mode: { ...mode, text: typed(text, key) } } };
  if (text.trim() === '') return { focus, says: 'Write the answer first.' };
  const command = { type: 'answer', task, step, text: text.trim() } as const;
  return { focus: { ...focus, mode: LIST }, wish: { type: 'command', command } };
}

function typed(text: string, key: Key): string {
  if (key === 'backspace') return graphemesOf(text).slice(0, -1).join('');
  if (typeof key !== 'object') return text;
  const more = 'typed' in key ? key.typed : key.pasted;
  return `${text}${more.replaceAll(/[\r\n\t]+/g, ' ')}`.slice(0, TYPED_MAX);
}
