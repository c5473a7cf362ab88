// Reasons of endings as text for people.
import type { Reason } from '../../protocol/result.ts';

const REASONS: Readonly<Record<Reason, string>> = {
  failed: 'failed',
  check: 'its check failed',
  baseline: 'the check fails without its work as well',
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
  need: 'a task it needs failed',
  condition: 'its condition does not hold',
  no_item: 'its list has fewer items',
  expression: 'an expression could not be evaluated',
  fail_fast: 'another failed first',
  race: 'another won the race',
  outrun: 'the run branch moved on',
  lost: 'its merged work is gone from .heddle/repo.git',
  skipped: 'skipped by hand',
  rate_limit: 'its provider limits how often it may ask',
  overloaded: 'its provider is overloaded',
  authentication: 'its provider did not accept who it is',
  bad_request: 'its provider did not accept what it asked for',
  context: 'its conversation is too long for the model',
  turns: 'it reached its limit of turns',
  permission: 'it was not allowed to use its tools',
  cut_off: 'it was cut off',
  lease: 'its host was out of reach for too long to keep its place in a pool',
  unsaved: 'its work could not be saved',
  output: 'its answer does not have the shape that the plan declares',
};

/** Reasons whose text begins with the reason itself. */
const SAID_BY_TEXT: ReadonlySet<Reason> = new Set(['cancelled', 'rejected', 'skipped']);

/** The reason and its text; the reason is not repeated where the text begins with it. */
export function reasonWithText(reason: Reason | undefined, cause: string | undefined): string {
  const text = reasonOf(reason, cause);
  const isSaid = reason === undefined || SAID_BY_TEXT.has(reason) || (reason === 'failed' && cause === undefined);
  return isSaid ? text : `${reason}: ${text}`;
}

/** The reason and the task that caused it. */
export function reasonOf(reason: Reason | undefined, cause: string | undefined): string {
  if (reason === undefined) return cause ?? '';
  // A subplan in which a task failed, by its path, or a rule of the plan, in words; a path has no blank.
  if (reason === 'failed' && cause !== undefined) return cause.includes(' ') ? cause : `${cause} failed`;
  return cause === undefined ? REASONS[reason] : `${REASONS[reason]}: ${cause}`;
}

const SAID_MAX = 200;

/** A note of ours in the output of a program. */
const OWN_NOTE = /^\[heddle: .*\]$/u;

/** The last line of a program's output, cut to a length that fits a report; a note of ours only where there is no other. */
export function lastLine(said: string | undefined): string | undefined {
  const lines = (said ?? '').split('\n').map((line) => line.trim());
  const line = lines.findLast((each) => each !== '' && !OWN_NOTE.test(each)) ?? lines.findLast((each) => each !== '');
  if (line === undefined) return undefined;
  return line.length > SAID_MAX ? `${line.slice(0, SAID_MAX)}…` : line;
}
