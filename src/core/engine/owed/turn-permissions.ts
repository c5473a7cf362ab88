// The permissions of an agent in one turn: the policy of the plan, and the decisions of people so far.
import type { CompiledStep } from '../../compile/compiled.ts';
import { factsOf, stepFactsOf } from '../facts.ts';
import type { Claim, State } from '../state.ts';
import type { TurnPermissions, Work } from '../../protocol/assignment.ts';

type Permitted = Pick<Extract<Work, { type: 'turn' }>, 'allow' | 'permissions'>;

export function permittedIn(state: State, step: CompiledStep, { work }: Pick<Claim, 'work'>): Permitted {
  const { permissions, questions } = state.compiled.plan;
  const allow = [...questions.allow, ...permissions.allow];
  const listed = allow.length > 0 ? { allow } : {};
  if (permissions.policy === 'allow') return listed;
  // When a turn on a conflict fails, a person is asked about the conflict, so nothing is asked during the turn.
  const policy = work === 'resolve' ? 'deny' : permissions.policy;
  return { ...listed, permissions: { policy, ...decidedFor(state, step) } };
}

/** A decision for a step takes precedence over a decision for its task. */
function decidedFor(state: State, step: CompiledStep): Omit<TurnPermissions, 'policy'> {
  const decided = new Map<string, boolean>();
  for (const { decisions } of [factsOf(state, step.task), stepFactsOf(state, step)])
    for (const { key, isAllowed } of decisions) decided.set(key, isAllowed);
  const keys = (isAllowed: boolean): readonly string[] =>
    [...decided].flatMap(([key, each]) => (each === isAllowed ? [key] : []));
  return { granted: keys(true), refused: keys(false) };
}
