// The endings of a run's tasks; nothing where all succeeded.
import type { Ended } from '../../core/engine/event.ts';
import type { State } from '../../core/engine/state.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { firstOf } from '../../core/view/text/count-text.ts';
import { aligned } from './rows.ts';

const SHOWN_MAX = 20;

export function endingsOf(state: State): Readonly<Record<string, Ended | undefined>> {
  return Object.fromEntries(state.compiled.tasks.map(({ task, index }) => [task.path, state.tasks[index]?.ended]));
}

export function endingLines(terminal: Terminal, state: State): readonly string[] {
  const notDone = Object.entries(endingsOf(state)).flatMap(([task, ended]) =>
    ended === undefined || ended.ending === 'done'
      ? []
      : [[task, ended.ending, [ended.reason, ended.cause].filter((part) => part !== undefined).join(': ')]],
  );
  if (notDone.length === 0) return [];
  const { shown, more } = firstOf(notDone, SHOWN_MAX);
  return [
    paint(terminal, 'strong', 'Not done'),
    ...aligned(shown),
    ...(more === 0 ? [] : [paint(terminal, 'quiet', `  … and ${more} more`)]),
  ];
}
