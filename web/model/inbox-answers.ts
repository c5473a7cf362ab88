// From a button of a question to the command that it sends.
import type { InboxItem } from '../../src/core/protocol/web.ts';
import type { ShortCommand } from '../../src/core/view/text/command-line.ts';

export type InboxAnswer = 'approve' | 'reject' | 'retry' | 'yes' | 'no' | 'always' | 'answer' | 'merge';

/** The word on the button of an answer, the same wherever the question is shown. */
export const ANSWER_WORDS: Readonly<Record<InboxAnswer, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  retry: 'Try again',
  yes: 'Allow',
  no: 'Deny',
  always: 'Allow always',
  answer: 'Send the answer',
  merge: 'Merge as resolved',
};

export function answerCommand(
  { task = '', step, attempt }: Pick<InboxItem, 'task' | 'step' | 'attempt'>,
  answer: Exclude<InboxAnswer, 'merge'>,
  text = '',
): ShortCommand {
  switch (answer) {
    case 'approve':
    case 'reject':
      return { type: answer, task, step, attempt };
    case 'retry':
      return { type: 'retry', tasks: [task] };
    case 'yes':
    case 'no':
    case 'always':
      return { type: 'answer', task, step, attempt, text: answer };
    case 'answer':
      return { type: 'answer', task, step, attempt, text: text.trim() };
  }
}
