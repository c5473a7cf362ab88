import { isAlive } from '../shell/exec/process.ts';
import type { RunRecord } from '../shell/ports/log.ts';
import type { OpenProject } from './open-project.ts';

/** Whether a process is there that carries the run out. */
export function hasCoordinator({ store }: OpenProject, { run }: RunRecord): boolean {
  const owner = store.ownerOf(run);
  return owner !== undefined && isAlive(owner);
}

/** Whether one that carried it out died before it could give it up, so that something may be left to do. */
export function isLeftBehind({ store }: OpenProject, { run }: RunRecord): boolean {
  const owner = store.ownerOf(run);
  return owner !== undefined && !isAlive(owner);
}
