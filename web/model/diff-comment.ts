// A comment on a line of a diff as the next turn of the agent: an answer where the task asks, else a retry with the comment.
import type { OpenQuestion } from '../../src/core/view/run/open-question.ts';
import type { ShortCommand } from '../../src/core/view/text/command-line.ts';

export interface LineComment {
  readonly path: string;
  readonly line: number;
  /** The text of the line. */
  readonly text: string;
  readonly comment: string;
}

const commentText = ({ path, line, text, comment }: LineComment): string =>
  `About ${path}:${line}\n> ${text}\n\n${comment.trim()}`;

export function commentCommand(task: string, questions: readonly OpenQuestion[], comment: LineComment): ShortCommand {
  const asked = questions.find((each) => each.task === task && each.answers.includes('answer'));
  const text = commentText(comment);
  if (asked !== undefined) return { type: 'answer', task, step: asked.step, attempt: asked.attempt, text };
  return { type: 'retry', tasks: [task], text };
}
