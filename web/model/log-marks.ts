// What a person looks for in a log: failures, questions, merges, amendments.
import type { Compiled } from '../../src/core/compile/compiled.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { questionIn } from '../../src/core/engine/events/event-table.ts';
import { countUpTo } from './count-up-to.ts';

export const MARKS = ['failure', 'question', 'merge', 'amendment'] as const;
export type MarkType = (typeof MARKS)[number];

export interface LogMark {
  readonly type: MarkType;
  /** The position after the event, where its effect is seen. */
  readonly position: number;
}

/** Undefined for an event that is nothing of the kind. */
function markOf(compiled: Compiled, event: RunEvent): MarkType | undefined {
  if (event.type === 'plan.amended' || event.type === 'plan.grown') return 'amendment';
  if (questionIn(compiled, event) !== undefined) return 'question';
  if (event.type === 'claim.returned') return event.counted ? 'failure' : undefined;
  if ('ending' in event && event.ending === 'failed') return 'failure';
  return event.type === 'claim.ended' && event.work === 'merge' && event.ending === 'done' ? 'merge' : undefined;
}

/** Marks of a log that only grows: each call looks at the new events alone. */
export function followMarks(): (events: readonly RunEvent[], compiled: Compiled) => readonly LogMark[] {
  let marks: readonly LogMark[] = [];
  let seen = 0;
  return (events, compiled) => {
    if (seen === events.length) return marks;
    const found = events.slice(seen).flatMap((event, index): readonly LogMark[] => {
      const type = markOf(compiled, event);
      return type === undefined ? [] : [{ type, position: seen + index + 1 }];
    });
    seen = events.length;
    if (found.length > 0) marks = [...marks, ...found];
    return marks;
  };
}

/** The next mark of a type after a position, or the one before it. */
export function nextMark(
  marks: readonly LogMark[],
  type: MarkType,
  { from, by }: { readonly from: number; readonly by: 1 | -1 },
): number | undefined {
  const positions = positionsOf(marks).get(type) ?? [];
  return by > 0 ? positions[countUpTo(positions, from)] : positions[countUpTo(positions, from - 1) - 1];
}

/** Every step of the replay asks for the next mark of each type, and of most types there are few. */
const latest = new WeakMap<readonly LogMark[], ReadonlyMap<MarkType, readonly number[]>>();

function positionsOf(marks: readonly LogMark[]): ReadonlyMap<MarkType, readonly number[]> {
  const known = latest.get(marks);
  if (known !== undefined) return known;
  const byType = Map.groupBy(marks, ({ type }) => type);
  const made = new Map([...byType].map(([type, some]) => [type, some.map(({ position }) => position)]));
  latest.set(marks, made);
  return made;
}
