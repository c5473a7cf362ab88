// A run of a project with a living server is the server's: other processes create it, and then follow.
import { setTimeout } from 'node:timers/promises';
import type { RunRecord } from '../../shell/ports/log.ts';
import { hasCoordinator, type OpenProject } from '../open-project.ts';
import { livingServe } from '../serve-note.ts';
import { TAKEN_WITHIN_MS } from './expect-coordinator.ts';
import { isToTakeUp } from './take-up.ts';

const LOOK_EVERY_MS = 50;

/** Returns when the server has taken the run up, or is done with it; false when there is no server that does. */
export async function leaveToServe(open: OpenProject, record: RunRecord): Promise<boolean> {
  if (record.purpose === 'draft') return false;
  for (let waitedMs = 0; waitedMs < TAKEN_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    if (livingServe(open.project) === undefined) return false;
    if (hasCoordinator(open, record) || !isToTakeUp(open.store, record, true)) return true;
    await setTimeout(LOOK_EVERY_MS);
  }
  return false;
}
