// Waits a little for a coordinator's reply to a command.
import type { Replied } from '../../core/engine/commands/reply.ts';
import type { Store } from '../../shell/ports/store.ts';

/** A coordinator reads its inbox twice a second; a busy one may take a little longer. */
const REPLIED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

export async function replyTo(store: Store, id: number, hasGone = (): boolean => false): Promise<Replied> {
  for (let waitedMs = 0; waitedMs < REPLIED_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    if (hasGone()) return { type: 'gone' };
    const reply = store.replyTo(id);
    if (reply !== undefined) return { type: 'replied', reply };
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return { type: 'silent' };
}
