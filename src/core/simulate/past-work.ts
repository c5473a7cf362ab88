// What one run teaches about durations: the spans of its work, and the tasks that it has grown by. Far smaller than the log that
// it comes from, and brought up to date event by event.
import type { RunEvent } from '../engine/event.ts';
import type { Task } from '../plan/plan.ts';
import { followSpans, type WorkSpan } from './work-spans.ts';

export interface PastWork {
  readonly spans: readonly WorkSpan[];
  readonly grown: readonly Task[];
}

export interface WorkFollower {
  /** Takes the next event of the run, from its first. */
  readonly add: (event: RunEvent) => void;
  /** As far as the events go; it grows in place. */
  readonly work: PastWork;
}

export function followWork(): WorkFollower {
  const { add, spans } = followSpans();
  const grown: Task[] = [];
  return {
    add: (event) => {
      add(event);
      if (event.type === 'plan.grown') grown.push(...event.fragment.tasks);
    },
    work: { spans, grown },
  };
}

/** `events` are those of one run, from its first. */
export function pastWorkOf(events: readonly RunEvent[]): PastWork {
  const { add, work } = followWork();
  for (const event of events) add(event);
  return work;
}
