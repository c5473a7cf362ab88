// Amends a run in which nothing is at work or can begin: its commands are heeded once, and nobody is told anything.
import { planIn } from '../../core/engine/fold.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { runLoop } from '../../shell/loop/loop.ts';
import { environmentFor, mustBeOwned } from './coordinate.ts';
import type { OpenProject } from '../open-project.ts';
import { CLOCK } from '../local-parts.ts';

export async function amendAtOnce({ store }: OpenProject, record: RunRecord): Promise<void> {
  const owned = store.own(record.run, { takesOver: false });
  mustBeOwned(owned, record.run);
  await runLoop({
    compiled: undefined,
    given: { env: environmentFor(planIn(owned.log.read())) },
    log: owned.log,
    mailbox: { next: () => Promise.resolve({ syncs: [], mayHaveCommands: false }), reply: () => undefined },
    clock: CLOCK,
    onFolded: () => undefined,
    onEvents: () => undefined,
    staysMs: () => 0,
  });
  owned.release();
}
