// Amends a run in which nothing is at work or can begin: its commands are heeded once, and nobody is told anything.
import { planIn } from '../../core/engine/fold.ts';
import type { RunRecord } from '../../shell/ports.ts';
import { carryOut } from '../../shell/run.ts';
import { Failure } from '../../app/failure.ts';
import { environmentFor, refusal } from '../run/coordinate.ts';
import type { OpenProject } from '../../app/open-project.ts';
import { CLOCK } from '../../app/local-parts.ts';

export async function amendAtOnce({ store }: OpenProject, record: RunRecord): Promise<void> {
  const owned = store.own(record.run, { takesOver: false });
  if (owned.type === 'refused') throw new Failure(refusal(record.run, owned.by, owned.silentMs));
  if (owned.type === 'failed') throw new Failure(owned.message);
  await carryOut({
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
