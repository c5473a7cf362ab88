// Whether a run that is followed still has a coordinator, or gets one: a server lets go of a run, or dies, and another takes it.
import { hasCoordinator, type OpenProject } from '../open-project.ts';
import { livingServe } from '../serve-note.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { isToTakeUp } from './take-up.ts';

/** A server that is up takes a run up in a moment. */
export const TAKEN_WITHIN_MS = 15_000;

/** To be asked again and again; false once nobody is expected to go on with the run. */
export function expectCoordinator(open: OpenProject, record: RunRecord): () => boolean {
  let freeSince: number | undefined;
  return () => {
    if (hasCoordinator(open, record)) {
      freeSince = undefined;
      return true;
    }
    if (livingServe(open.project) === undefined || !isToTakeUp(open.store, record, true)) return false;
    freeSince ??= performance.now();
    return performance.now() - freeSince < TAKEN_WITHIN_MS;
  };
}
