// A run with work on other machines whose server died is left to the next server: nobody else hears those machines, and
// would do their work again.
import { setTimeout } from 'node:timers/promises';
import { LEASE_MS } from '../../core/protocol/dispatcher.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { foldRun } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';
import { livingServe } from '../serve-note.ts';

const LOOK_EVERY_MS = 200;
/** What keeps servers alive starts one within this time. */
const WITHIN_MS = LEASE_MS;

/** Whether other machines have work of a run, or had some. */
export function hasHosts({ store }: OpenProject, record: RunRecord): boolean {
  const { claims, tasks } = foldRun(store, record).state;
  return claims.values().some(({ host }) => host !== undefined) || tasks.some(({ ranOn }) => ranOn?.host !== undefined);
}

/** Whether a server is up again. */
export async function awaitServer({ project }: OpenProject): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    if (livingServe(project) !== undefined) return true;
    await setTimeout(LOOK_EVERY_MS);
  }
  return false;
}
