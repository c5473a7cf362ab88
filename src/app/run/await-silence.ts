// Whether a coordinator that is alive may have its run taken away.
import { setTimeout } from 'node:timers/promises';
import type { Owner, RunRecord } from '../../shell/ports/log.ts';
import type { OpenProject } from '../open-project.ts';
import { Refused } from '../refusal.ts';
import { mustBeOwned } from './coordinate.ts';

/** A coordinator writes a heartbeat every five seconds; one that has missed three of them does not answer. */
const SILENT_MS = 15_000;
const LOOK_EVERY_MS = 200;
const SAYS_AFTER_LOOKS = 5;

/** Called when the wait takes longer than a moment. */
export type OnWaiting = (waiting: { readonly by: Owner; readonly withinMs: number }) => void;

/** Refuses as soon as the coordinator shows that it lives; returns when it was silent for long enough, or is gone. */
export async function awaitSilence({ store }: OpenProject, { run }: RunRecord, onWaiting: OnWaiting): Promise<void> {
  for (let looks = 0, silentBefore = 0; ; looks += 1) {
    const asked = store.own(run, { takesOver: false });
    if (asked.type !== 'refused') {
      mustBeOwned(asked, run);
      asked.release();
      return;
    }
    const { by, silentMs } = asked;
    if (silentMs >= SILENT_MS) return;
    if (silentMs < silentBefore) throw new Refused({ code: 'owner-answers', run, by });
    silentBefore = silentMs;
    if (looks === SAYS_AFTER_LOOKS) onWaiting({ by, withinMs: SILENT_MS });
    await setTimeout(LOOK_EVERY_MS);
  }
}
