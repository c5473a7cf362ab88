// Does what a key asks of the run, by the very commands that the command line posts, and says what came of it.
import type { Command } from '../../core/engine/command.ts';
import type { RunRecord } from '../../shell/ports.ts';
import { Failure } from '../../app/failure.ts';
import { replyTo } from '../../app/run/reply-to.ts';
import { rightCall } from '../run/right-call.ts';
import { repliedText, replyText } from '../text/command-reply-text.ts';
import { hasCoordinator } from '../../app/has-coordinator.ts';
import type { OpenProject } from '../../app/open-project.ts';

export interface Desk {
  readonly open: OpenProject;
  readonly record: RunRecord;
  /** Whether nobody waits for an answer any more: a run may end, and its store be closed, before the answer is read. */
  readonly hasGone?: () => boolean;
}

export async function act(desk: Desk, command: Command): Promise<string> {
  try {
    return await posted(desk, command);
  } catch (trouble) {
    if (trouble instanceof Failure) return trouble.message;
    throw trouble;
  }
}

async function posted({ open, record, hasGone }: Desk, command: Command): Promise<string> {
  const { store } = open;
  const isUp = hasCoordinator(open, record);
  const isOfRun = 'tasks' in command && command.tasks.length === 0;
  // What the coordinator may judge otherwise by the time it hears of it is left to it.
  const dry = isUp && isOfRun ? undefined : rightCall(store, record, [command]);
  if (dry?.isIdle === true && (isUp || dry.stage === 'ended')) return replyText(dry.reply);
  const posting = store.post(record.run, command);
  if (posting.type === 'failed') return posting.message;
  return isUp
    ? repliedText(await replyTo(store, posting.id, hasGone))
    : `Noted. No coordinator is up; heddle resume ${record.run} goes on.`;
}
