// What can start, what waits, and what may collide, of a plan that has not run.
import type { Overlaps } from '../../core/plan/check/files-overlap.ts';
import type { Eligibility } from '../../core/view/run/eligibility.ts';
import { firstOf } from '../../core/view/text/count-text.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { aligned, listedWithin } from './rows.ts';

const BLOCKED_SHOWN_MAX = 20;
const OVERLAPS_SHOWN_MAX = 10;

export function eligibilityLines(terminal: Terminal, { ready, blocked }: Eligibility): readonly string[] {
  const { shown, more } = firstOf(blocked, BLOCKED_SHOWN_MAX);
  const rows = shown.map(({ task, by }) => [task, `after ${listedWithin(by, terminal.width - task.length - 12)}`]);
  return [
    `${paint(terminal, 'strong', 'Can start now')}  ${ready.length === 0 ? 'nothing' : listedWithin(ready, terminal.width - 16)}`,
    ...(blocked.length === 0 ? [] : [paint(terminal, 'strong', 'Waiting')]),
    ...aligned(rows),
    ...(more === 0 ? [] : [paint(terminal, 'quiet', `  … and ${more} more`)]),
  ];
}

export function overlapLines(terminal: Terminal, { overlaps, isWhole }: Overlaps): readonly string[] {
  if (overlaps.length === 0) return [];
  const { shown, more } = firstOf(overlaps, OVERLAPS_SHOWN_MAX);
  const rows = shown.map(({ tasks, files }) => {
    const paths = files.map(([one, other]) => (one === other ? one : `${one} and ${other}`));
    return [tasks.join(', '), listedWithin(paths, terminal.width - 40)];
  });
  return [
    paint(terminal, 'strong', 'May write the same files'),
    ...aligned(rows),
    ...(more === 0 ? [] : [paint(terminal, 'quiet', `  … and ${isWhole ? more : `at least ${more}`} more pairs`)]),
  ];
}
