// Names and failures of a run in words.
import { reasonOf } from '../run/reason-text.ts';
import type { Reason } from '../../protocol/result.ts';
import type { FailureStatus } from '../run/run-status.ts';
import type { OpenQuestion } from '../run/open-question.ts';

interface Named {
  readonly task: string;
  readonly step: string | undefined;
  readonly type?: string;
}

/** A step by its task and its id; the only step of a task that has no `steps` goes by the name of the task. */
export function nameOf({ task, step, type }: Named): string {
  if (type === 'check' || type === 'merge' || type === 'resolve') return `${task} ${type}`;
  return step === undefined || step === 'main' ? task : `${task}/${step}`;
}

/** Of these the last words are those of a program that knows nothing of the reason. */
const SAID_OF_WORK: ReadonlySet<Reason> = new Set(['check', 'baseline', 'cost']);

/** Why a task failed: its own last words where it has any, else the reason. */
export function taskFailureText({ reason, cause, said, exitCode }: FailureStatus): string {
  const isOwn = reason === undefined || reason === 'failed';
  // The last message does not explain why the plan counts this as a failure.
  if (isOwn && said !== undefined && cause !== undefined) return cause;
  if (reason !== undefined && SAID_OF_WORK.has(reason) && said !== undefined)
    return `${reasonOf(reason, cause)}: ${said}`;
  if (!isOwn || exitCode === undefined || exitCode === 0) return said ?? reasonOf(reason, cause);
  return said === undefined ? `exited with ${exitCode}` : `exited with ${exitCode}: ${said}`;
}

/** The commands that answer a question. */
export function answersTo({ task, step, answers, permission }: OpenQuestion): readonly string[] {
  const flag = step === undefined || step === 'main' ? '' : ` --step ${step}`;
  if (permission !== undefined)
    return [`heddle answer ${task}${flag} yes, no or always`, `heddle retry ${task}${flag}`];
  return answers.flatMap((answer) => {
    if (answer === 'merge') return [`heddle open ${task}`, `heddle merge ${task}`];
    return [answer === 'answer' ? `heddle answer ${task}${flag} "…"` : `heddle ${answer} ${task}${flag}`];
  });
}
