// Waits a little for what a coordinator says to a command.
import type { Store } from '../../shell/ports.ts';

/** A coordinator looks twice a second; one that is busy with a large turn may take a little longer. */
const ANSWERED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** Who has gone is told nothing, and the store, which may be closed by then, is not asked. */
export async function answerTo(store: Store, id: number, hasGone = (): boolean => false): Promise<string> {
  for (let waitedMs = 0; waitedMs < ANSWERED_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    if (hasGone()) return '';
    const answer = store.answerTo(id);
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return (
    'The coordinator has not heeded it yet; it will as soon as it can. ' +
    'Should it stay silent, heddle resume --take-over carries the run on in its place.'
  );
}
