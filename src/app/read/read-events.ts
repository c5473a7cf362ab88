// The log of a run, event by event.
import { setTimeout } from 'node:timers/promises';
import type { RunEvent } from '../../core/engine/event.ts';
import { followProgress, type Progress } from '../../core/view/run/progress.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { eventsFrom, foldRun } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';
import { expectCoordinator } from '../run/expect-coordinator.ts';

const LOOK_EVERY_MS = 200;

export interface ShownEvent {
  readonly event: RunEvent;
  /** The event for people and programs that do not know the engine. */
  readonly progress: Progress;
}

/**
 * All events so far; with `follows`, those to come too, until the run has no coordinator. A coordinator releases a run that
 * has ended only when its branch is published, so a follower finds the branch (follow/F1).
 */
export async function* readEvents(
  open: OpenProject,
  record: RunRecord,
  { follows }: { readonly follows: boolean },
): AsyncGenerator<ShownEvent, void> {
  const folded = foldRun(open.store, record);
  const progressOf = followProgress(record.run, folded.started);
  let { events, position } = folded;
  const isCoordinated = expectCoordinator(open, record);
  let isLast = !follows;
  for (;;) {
    for (const event of events) yield { event, progress: progressOf(event) };
    if (isLast) return;
    await setTimeout(LOOK_EVERY_MS);
    // Before the events are read, because a coordinator appends its last ones and then releases the run.
    isLast = !isCoordinated();
    ({ events, position } = eventsFrom(open.store, record.run, position));
  }
}
