// What became of a command, in words.
import type { RunRecord } from '../../app/open-project.ts';
import type { CommandSent } from '../../app/web/send-command.ts';
import { repliedText, replyText } from '../../core/view/text/command-reply-text.ts';

export function sentText({ run }: RunRecord, sent: CommandSent): string {
  switch (sent.type) {
    case 'replied':
      return sent.replies.map(repliedText).join(' ');
    case 'over':
      return replyText(sent.reply);
    case 'posted':
      return `Noted. No process runs ${run}; it takes effect when control with do: resume goes on with it.`;
    case 'vacant':
      return `No process runs ${run}: ${sent.commandLine.join(' ')} goes on with it.`;
    case 'started':
      return `${run} goes on in the background.`;
  }
}
