import { isAlive } from '../shell/exec/process.ts';
import type { RunRecord } from '../shell/ports/log.ts';
import type { OpenProject } from './open-project.ts';

/** Whether the run has a living coordinator. */
export function hasCoordinator({ store }: OpenProject, { run }: RunRecord): boolean {
  const owner = store.ownerOf(run);
  return owner !== undefined && isAlive(owner);
}

/** Whether its coordinator died before it released the run, so that something may be left to do. */
export function isLeftBehind({ store }: OpenProject, { run }: RunRecord): boolean {
  const owner = store.ownerOf(run);
  return owner !== undefined && !isAlive(owner);
}
