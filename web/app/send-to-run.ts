// Sends a command to the inbox of a run, as the command line does, and puts its coded reply into words.
import type { CommandReply, Replied } from '../../src/core/engine/commands/reply.ts';
import type { Refusal } from '../../src/core/view/text/refusal.ts';
import { refusalText } from '../../src/core/view/text/refusal-text.ts';
import { replyText, repliedText } from '../../src/core/view/text/command-reply-text.ts';
import { runPath, type ApiAnswer, type ServerApi } from '../client/server-api.ts';
import { apiErrorText } from '../client/api-error-text.ts';
import type { CommandToRun, Message } from '../store/use-app.ts';

/** The reply of the server to a command. */
type CommandSent =
  | { readonly type: 'replied'; readonly replies: readonly Replied[] }
  | { readonly type: 'posted' }
  | { readonly type: 'vacant'; readonly commandLine: readonly string[] }
  | { readonly type: 'started' }
  | { readonly type: 'over'; readonly reply: CommandReply }
  | { readonly type: 'refused'; readonly refusal: Refusal };

export async function sendToRun(
  api: ServerApi,
  { project, run, command, starts = false }: CommandToRun,
  notify: (message: Message) => void,
): Promise<boolean> {
  const answer = await api.post<CommandSent>(runPath(project, run, 'commands'), { ...command, start: starts });
  notify(messageOf(answer));
  return answer.type === 'ok' && isTaken(answer.value);
}

const messageOf = (answer: ApiAnswer<CommandSent>): Message =>
  answer.type === 'ok' ? sentText(answer.value) : { style: 'bad', text: apiErrorText(answer) };

function sentText(sent: CommandSent): Message {
  switch (sent.type) {
    case 'replied':
      return {
        style: sent.replies.every(hasEffect) ? 'good' : 'warn',
        text: sent.replies.map(repliedText).join(' '),
      };
    case 'posted':
      return { style: 'warn', text: 'Noted: the run has no coordinator and takes it as soon as it has one.' };
    case 'vacant':
      return { style: 'warn', text: `The run has no coordinator: ${sent.commandLine.join(' ')} goes on with it.` };
    case 'started':
      return { style: 'good', text: 'A coordinator was started in the background and takes it.' };
    case 'over':
      return { style: 'warn', text: replyText(sent.reply) };
    case 'refused':
      return { style: 'bad', text: refusalText(sent.refusal) };
  }
}

function isTaken(sent: CommandSent): boolean {
  switch (sent.type) {
    case 'replied':
      return sent.replies.every(hasEffect);
    case 'posted':
    case 'started':
      return true;
    case 'vacant':
    case 'over':
    case 'refused':
      return false;
  }
}

const hasEffect = (replied: Replied): boolean => replied.type === 'replied' && replied.reply.takesEffect;
