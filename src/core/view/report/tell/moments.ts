// What happened in a run that somebody who was not there would want to know, in the order it came.
import type { RunEvent } from '../../../engine/event.ts';
import type { Span } from './spans.ts';

export const MOMENTS = [
  'paused',
  'resumed',
  'retried',
  'amended',
  'rolled back',
  'quota',
  'overload',
  'lost',
  'ended',
] as const;

export interface MomentTold {
  readonly type: (typeof MOMENTS)[number];
  /** Milliseconds since the run began. */
  readonly atMs: number;
  readonly text: string;
}

export function tellMoments(events: readonly RunEvent[]): readonly MomentTold[] {
  const startedAt = events[0]?.at ?? 0;
  return events.flatMap((event): MomentTold[] => {
    const moment = momentOf(event);
    return moment === undefined ? [] : [{ ...moment, atMs: Math.max(0, event.at - startedAt) }];
  });
}

function momentOf(event: RunEvent): Omit<MomentTold, 'atMs'> | undefined {
  switch (event.type) {
    case 'run.paused':
      return { type: 'paused', text: event.cause === undefined ? 'Paused.' : `Paused by itself: ${event.cause}` };
    case 'run.resumed':
      return { type: 'resumed', text: 'Resumed.' };
    case 'run.ended':
      return { type: 'ended', text: 'Ended.' };
    case 'plan.amended':
      return { type: 'amended', text: 'The plan was amended.' };
    case 'task.reset':
      return { type: 'retried', text: `To be done again: ${listOf(event.tasks)}.` };
    case 'task.rolledBack':
      return { type: 'rolled back', text: `${event.task} was rolled back to before its step ${event.to}.` };
    case 'pool.closed':
      return { type: 'quota', text: `The pool ${event.pool} closed: no quota ${untilOf(event.until, event)}.` };
    case 'pool.opened':
      return { type: 'quota', text: `The pool ${event.pool} opened again.` };
    case 'pool.throttled':
      return { type: 'overload', text: `The pool ${event.pool} was throttled to ${event.limit}: overloaded.` };
    case 'pool.restored':
      return { type: 'overload', text: `The pool ${event.pool} was restored to ${event.limit}.` };
    case 'claim.returned':
      return lossOf(event);
  }
  return undefined;
}

type Returned = Extract<RunEvent, { type: 'claim.returned' }>;

/** An account that ran dry is worth a word where no pool closes for it. */
function lossOf(event: Returned): Omit<MomentTold, 'atMs'> | undefined {
  if (event.reason === 'crashed')
    return { type: 'lost', text: `The worker of ${whatOf(event)} of ${event.task} was lost; it is done again.` };
  if (event.reason !== 'quota' || event.pool !== undefined) return undefined;
  return { type: 'quota', text: `The account of ${event.task} has no quota ${untilOf(event.until, event)}.` };
}

const WHAT = { check: 'the check', merge: 'the merge', resolve: 'a turn on a conflict' } as const;

const whatOf = ({ work, step }: Returned): string => (work === 'step' ? `the step ${step}` : WHAT[work]);

/** In times of the run, so that a report reads the same wherever it is written. */
const untilOf = (until: number, { at }: { readonly at: number }): string =>
  `for ${Math.max(0, Math.round((until - at) / 1000))} s`;

const LISTED_MAX = 8;

const listOf = (tasks: readonly string[]): string =>
  tasks.length <= LISTED_MAX
    ? tasks.join(', ')
    : `${tasks.slice(0, LISTED_MAX).join(', ')} and ${tasks.length - LISTED_MAX} more`;

/** When the run was paused, whoever wanted it. */
export function pausesIn(events: readonly RunEvent[]): readonly Span[] {
  const startedAt = events[0]?.at ?? 0;
  const spans: { startMs: number; endMs: number | undefined }[] = [];
  for (const { type, at } of events) {
    const last = spans.at(-1);
    const ms = Math.max(0, at - startedAt);
    const isOpen = last !== undefined && last.endMs === undefined;
    if (type === 'run.paused' && !isOpen) spans.push({ startMs: ms, endMs: undefined });
    if ((type === 'run.resumed' || type === 'run.ended') && isOpen) last.endMs = Math.max(last.startMs, ms);
  }
  return spans;
}
