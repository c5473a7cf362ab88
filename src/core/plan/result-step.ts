// The step whose result is the result of its task.
import type { Step } from './plan.ts';

/** The place of the last step that is not read-only: a review is about the work, and not the work. */
export const resultStep = (steps: readonly Step[]): number => lastKept(steps.map(isReadOnly));

/** Of steps by whether they are read-only; where all are, the last one. */
export function lastKept(readOnly: readonly boolean[]): number {
  const last = readOnly.lastIndexOf(false);
  return last < 0 ? readOnly.length - 1 : last;
}

export const isReadOnly = (step: Step): boolean => step.type === 'prompt' && step.isReadOnly === true;
