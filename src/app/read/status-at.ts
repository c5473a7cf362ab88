// The status of a run as it stood at a position of its log.
import { fold } from '../../core/engine/apply/fold.ts';
import { statusOf } from '../../core/view/run/run-status.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { eventsFrom } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';
import type { RunStatus } from './read-status.ts';

/** At the time of the last event before the position; a position past the end is the end. */
export function readStatusAt({ store }: OpenProject, record: RunRecord, position: number): RunStatus {
  const { events } = eventsFrom(store, record.run, 0);
  const state = fold(events.slice(0, Math.max(1, position)));
  const { now } = state.run;
  return {
    run: record.run,
    file: record.file,
    hasCoordinator: false,
    workers: [],
    now,
    expectedAt: undefined,
    status: statusOf(state, { now, given: { inputs: state.run.inputs, env: {} } }),
  };
}
