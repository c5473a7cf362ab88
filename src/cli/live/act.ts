// Does what a key asks of the run, by the very commands that the command line posts, and says what came of it.
import { repliedText, replyText } from '../text/command-reply-text.ts';
import type { Command } from '../../core/engine/command.ts';
import type { OpenProject } from '../../app/open-project.ts';
import { Refused } from '../../app/refusal.ts';
import { press } from '../../app/run/control.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { refusalText } from '../text/refusal-text.ts';

export interface Acting {
  readonly open: OpenProject;
  readonly record: RunRecord;
  /** Whether nothing waits for a reply any more: a run may end, and its store be closed, before the reply is read. */
  readonly hasGone?: () => boolean;
}

export async function act({ open, record, hasGone = () => false }: Acting, command: Command): Promise<string> {
  try {
    const pressed = await press(open, { record, command, hasGone });
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
