// The log of a run, event by event.
import { setTimeout } from 'node:timers/promises';
import { apply } from '../../core/engine/apply/apply.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { followProgress, type Progress } from '../../core/view/run/progress.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { eventsFrom, foldRun } from '../fold-run.ts';
import { hasCoordinator } from '../has-coordinator.ts';
import type { OpenProject } from '../open-project.ts';

const LOOK_EVERY_MS = 200;

export interface ReadEvent {
  readonly event: RunEvent;
  /** The event for people and programs that do not know the engine. */
  readonly progress: Progress;
}

/** All events so far; with `follows`, those to come too, until the run has ended or has no coordinator. */
export async function* readEvents(
  open: OpenProject,
  record: RunRecord,
  { follows }: { readonly follows: boolean },
): AsyncGenerator<ReadEvent, void> {
  const folded = foldRun(open.store, record);
  const progressOf = followProgress(record.run, folded.started);
  let { events, position } = folded;
  for (;;) {
    for (const event of events) yield { event, progress: progressOf(event) };
    const mayGoOn = follows && folded.state.run.stage !== 'ended' && hasCoordinator(open, record);
    if (!mayGoOn) return;
    await setTimeout(LOOK_EVERY_MS);
    ({ events, position } = eventsFrom(open.store, record.run, position));
    for (const event of events) apply(folded.state, event);
  }
}
