// From an answer in words to the command that gives it.
import type { AmendCommand, Command } from '../../engine/command.ts';

export interface AnsweredQuestion {
  readonly task?: string | undefined;
  readonly step: string | undefined;
  readonly attempt?: number | undefined;
  /** The answers that the question takes, of open-question.ts. */
  readonly answers: readonly string[];
}

/** Text for a question of an agent, a word of the list for everything else. Undefined for an answer that is none. */
export function commandFor(
  { task = '', step, attempt, answers }: AnsweredQuestion,
  answer: unknown,
): Exclude<Command, AmendCommand> | undefined {
  if (typeof answer !== 'string' || answer === '') return undefined;
  const isWord = answers.includes(answer);
  if ((answer === 'approve' || answer === 'reject') && isWord) return { type: answer, task, step, attempt };
  if (answer === 'retry' && isWord) return { type: 'retry', tasks: [task] };
  const takesWords =
    answers.includes('answer') || ((answer === 'yes' || answer === 'no' || answer === 'always') && isWord);
  return takesWords ? { type: 'answer', task, step, attempt, text: answer } : undefined;
}
