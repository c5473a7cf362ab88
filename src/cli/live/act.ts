// Runs the command of a key, by the same commands that the command line posts, and returns the reply.
import { repliedText, replyText } from '../../core/view/text/command-reply-text.ts';
import type { Command } from '../../core/engine/command.ts';
import type { OpenProject, RunRecord } from '../../app/open-project.ts';
import { Refused } from '../../app/refused.ts';
import { pressCommand } from '../../app/run/post-control.ts';
import { refusalText } from '../../core/view/text/refusal-text.ts';

export interface Acting {
  readonly open: OpenProject;
  readonly record: RunRecord;
  /** Whether nothing waits for a reply any more: a run may end, and its store be closed, before the reply is read. */
  readonly hasGone?: () => boolean;
  /** Makes a coordinator in this process read its inbox at once. */
  readonly ring?: () => void;
}

export async function act(acting: Acting, command: Command): Promise<string> {
  const { open, record, hasGone = () => false, ring = () => undefined } = acting;
  try {
    const pressed = await pressCommand(open, { record, command, hasGone, ring });
    switch (pressed.type) {
      case 'over':
        return replyText(pressed.reply);
      case 'replied':
        return pressed.replies.map(repliedText).join(' ');
      case 'posted':
      case 'vacant':
        return `Noted. The run has no coordinator; heddle resume ${record.run} goes on.`;
    }
  } catch (trouble) {
    if (trouble instanceof Refused) return refusalText(trouble.refusal);
    throw trouble;
  }
}
