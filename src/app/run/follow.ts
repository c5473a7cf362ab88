// Follows a run that other processes coordinate, one after the other, through the store alone, until they are done with it.
//
// follow/F1. A run that has ended is not over before its coordinator has released it: only then is its branch published.
import { apply } from '../../core/engine/apply/apply.ts';
import { waitsFor } from '../../core/engine/step/coordinator-state.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { OpenProject } from '../open-project.ts';
import type { Observer } from './observer.ts';
import type { Coordinated } from './coordinate.ts';
import { engineKeeping } from '../engine-note.ts';
import { eventsFrom, foldRun } from '../fold-run.ts';
import { livingServe } from '../serve-note.ts';
import { expectCoordinator } from './expect-coordinator.ts';

const LOOK_EVERY_MS = 200;

export interface FollowOptions extends OpenProject {
  readonly record: RunRecord;
  readonly observer: Observer;
  /** For how long to stay when only a person's answer can move the run on. */
  readonly waitMs: number;
}

export async function followRun({ project, store, record, observer, waitMs }: FollowOptions): Promise<Coordinated> {
  const { started, state, events: past, position: from } = foldRun(store, record);
  const isCoordinated = expectCoordinator({ project, store }, record);
  let position = from;
  let quietSince = performance.now();
  observer.onStart(record, started, () => past);
  for (;;) {
    const goesOn = isCoordinated();
    const { events, position: after } = eventsFrom(store, record.run, position);
    position = after;
    for (const event of events) apply(state, event);
    if (events.length > 0) {
      observer.onEvents(events, state);
      quietSince = performance.now();
    }
    if (!goesOn) {
      if (state.run.stage === 'ended') return { over: { type: 'ended', state }, wasInterrupted: false };
      const why = state.questions.size > 0 ? 'answer' : 'resume';
      const keptOn = livingServe(project) === undefined ? engineKeeping(project, record) : undefined;
      return { over: { type: 'waiting', for: why, state }, wasInterrupted: false, keptOn };
    }
    if (waitsFor(state) === 'answer' && performance.now() - quietSince >= waitMs)
      return { over: { type: 'waiting', for: 'answer', state }, wasInterrupted: false, isHeld: true };
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
