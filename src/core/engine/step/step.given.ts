// A step of a run without hosts, for tests: outcomes go in, events come out.
import { startCoordinator } from './coordinator-state.ts';
import type { RunEvent } from '../event.ts';
import type { Evaluator } from '../evaluator.ts';
import type { Outcome } from '../outcome.ts';
import type { State } from '../state.ts';
import { step } from './step.ts';

export const stepOn = (
  state: State,
  outcomes: readonly Outcome[],
  { evaluator, now }: { readonly evaluator: Evaluator; readonly now: number },
): readonly RunEvent[] => {
  const coordinator = startCoordinator(state, { evaluator, given: { inputs: {}, env: {} }, at: now });
  return step(coordinator, { outcomes }, { now, at: now }).events;
};
