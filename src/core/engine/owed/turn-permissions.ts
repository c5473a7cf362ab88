// What becomes of what an agent asks leave for in one turn: what the plan says, and what people have decided so far.
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
  // About a conflict a person is asked anyway when its turn comes to nothing, so nothing inside such a turn is.
  const policy = work === 'resolve' ? 'deny' : permissions.policy;
  return { ...listed, permissions: { policy, ...decidedFor(state, step) } };
}

/** What was decided for a step goes before what was for its task. */
function decidedFor(state: State, step: CompiledStep): Omit<TurnPermissions, 'policy'> {
  const decided = new Map<string, boolean>();
  for (const { decisions } of [factsOf(state, step.task), stepFactsOf(state, step)])
    for (const { key, isAllowed } of decisions) decided.set(key, isAllowed);
  const keys = (isAllowed: boolean): readonly string[] =>
    [...decided].flatMap(([key, each]) => (each === isAllowed ? [key] : []));
  return { granted: keys(true), refused: keys(false) };
}
