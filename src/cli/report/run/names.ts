// Names and reasons of a run as people say them.
import type { Reason } from '../../../core/engine/event.ts';
import type { FailureStatus } from '../../../core/view/run/status.ts';
import type { OpenQuestion } from '../../../core/view/run/open-question.ts';

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

const REASONS: Readonly<Record<Reason, string>> = {
  failed: 'failed',
  check: 'its check failed',
  conflict: 'its merge met a conflict',
  timeout: 'it took too long',
  idle: 'it was silent for too long',
  limit: 'its sandbox took more than it may',
  quota: 'the quota of its account is used up',
  cost: 'it costs more than is left',
  cancelled: 'cancelled',
  crashed: 'it crashed',
  refused: 'it was refused',
  asked: 'it asked a question',
  rejected: 'rejected',
  need: 'what it needs did not end well',
  condition: 'its condition does not hold',
  expression: 'an expression could not be evaluated',
  fail_fast: 'another failed first',
  race: 'another won the race',
  skipped: 'skipped by hand',
  rate_limit: 'its provider limits how often it may ask',
  overloaded: 'its provider is overloaded',
  authentication: 'its provider did not accept who it is',
  bad_request: 'its provider did not accept what it asked for',
  context: 'its conversation is too long for the model',
  turns: 'it reached its limit of turns',
  permission: 'it was not allowed to use its tools',
  cut_off: 'it was cut off',
  output: 'its answer does not have the shape that the plan declares',
};

/** Why, and because of whom. */
export function reasonOf(reason: Reason | undefined, cause: string | undefined): string {
  if (reason === undefined) return cause ?? '';
  return cause === undefined ? REASONS[reason] : `${REASONS[reason]}: ${cause}`;
}

/** Why a task failed: its own last words where it has any, else the reason. */
export function failureText({ reason, cause, said, exitCode }: FailureStatus): string {
  const isOwn = reason === undefined || reason === 'failed';
  if (!isOwn || exitCode === undefined || exitCode === 0) return said ?? reasonOf(reason, cause);
  return said === undefined ? `exited with ${exitCode}` : `exited with ${exitCode}: ${said}`;
}

/** The commands that answer a question. */
export function answersTo({ task, step, answers }: OpenQuestion): readonly string[] {
  const flag = step === undefined || step === 'main' ? '' : ` --step ${step}`;
  // Whoever opens it is told how to go on.
  return answers.map((answer) => {
    if (answer === 'merge') return `heddle open ${task}`;
    return answer === 'answer' ? `heddle answer ${task}${flag} "…"` : `heddle ${answer} ${task}${flag}`;
  });
}
