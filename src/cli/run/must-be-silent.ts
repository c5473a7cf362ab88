// Whether a coordinator that is there may have its run taken away.
import { setTimeout } from 'node:timers/promises';
import type { RunRecord } from '../../shell/ports.ts';
import { Failure } from '../../app/failure.ts';
import type { Terminal } from '../terminal.ts';
import type { OpenProject } from '../../app/open-project.ts';

/** A coordinator shows every five seconds that it lives; one that has missed three of them does not answer. */
const SILENT_MS = 15_000;
const LOOK_EVERY_MS = 200;
const SAYS_AFTER_LOOKS = 5;

/** Throws as soon as the coordinator shows that it lives; comes back when it has been silent for long enough, or is gone. */
export async function mustBeSilent(terminal: Terminal, { store }: OpenProject, { run }: RunRecord): Promise<void> {
  for (let looks = 0, silentBefore = 0; ; looks += 1) {
    const asked = store.own(run, { takesOver: false });
    if (asked.type === 'failed') throw new Failure(asked.message);
    if (asked.type === 'owned') {
      asked.release();
      return;
    }
    const { by, silentMs } = asked;
    if (silentMs >= SILENT_MS) return;
    if (silentMs < silentBefore)
      throw new Failure(
        `Process ${by.pid} on ${by.host} carries ${run} out and answers, so it is not taken from it; heddle stop ${run} ends it, heddle resume ${run} follows it.`,
      );
    silentBefore = silentMs;
    if (looks === SAYS_AFTER_LOOKS)
      terminal.err(`Waiting to see whether process ${by.pid} on ${by.host} answers, up to ${SILENT_MS / 1000} s.`);
    await setTimeout(LOOK_EVERY_MS);
  }
}
