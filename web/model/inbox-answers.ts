// From a button of a question to the command that it sends.
import type { Command } from '../../src/core/engine/command.ts';
import type { InboxItem } from '../../src/core/protocol/web.ts';

export type InboxAnswer = 'approve' | 'reject' | 'retry' | 'yes' | 'no' | 'always' | 'answer' | 'merge';

export function answerCommand(
  { task = '', step }: Pick<InboxItem, 'task' | 'step'>,
  answer: Exclude<InboxAnswer, 'merge'>,
  text = '',
): Command {
  switch (answer) {
    case 'approve':
    case 'reject':
      return { type: answer, task, step };
    case 'retry':
      return { type: 'retry', tasks: [task] };
    case 'yes':
    case 'no':
    case 'always':
      return { type: 'answer', task, step, text: answer };
    case 'answer':
      return { type: 'answer', task, step, text: text.trim() };
  }
}
