// What must be done, as data, from the state alone. No memory holds work that a restart would lose; every effect may
// be begun twice.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { ClaimRef } from '../../protocol/assignment.ts';
import type { OwedClaim } from '../../protocol/dispatcher.ts';
import { taskAt } from '../facts.ts';
import { nextWake } from '../decide/next.ts';
import type { Claim, Question, State } from '../state.ts';

interface OfStep {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
}

/** What hosts are to do: claims to be carried out or to be stopped. Merges are the merge queue's. */
export const owedClaims = (state: State): readonly OwedClaim[] =>
  [...state.claims.values()]
    .filter(({ work }) => work !== 'merge')
    .map((claim) => ({ claim: refOf(state, claim), isToStop: isToStop(claim) }));

/** Claims in hosts' hands, by name. */
export const claimsOfHosts = (state: State): readonly ClaimRef[] => owedClaims(state).map(({ claim }) => claim);

function refOf(state: State, { task: index, step: at, attempt }: Claim): ClaimRef {
  const { task, steps } = taskAt(state, index);
  return { task: task.path, step: at === undefined ? undefined : steps[at]?.step.id, attempt };
}

export type Effect =
  | ({ readonly type: 'work' } & OfStep)
  | ({ readonly type: 'stop' } & OfStep)
  | { readonly type: 'check' | 'stop check' | 'merge' | 'stop merge'; readonly task: string; readonly attempt: number }
  | { readonly type: 'ask'; readonly task: string; readonly step: string | undefined; readonly attempt: number }
  | { readonly type: 'wait'; readonly until: number };

/** All that is owed, whether under way or not. */
export function owed(state: State): readonly Effect[] {
  return beginOwed(state, nothingUnderWay());
}

/** What has been begun, by the fact that called for it; empty after a restart, so that all is begun again. */
export interface UnderWay {
  readonly claims: WeakMap<Claim, 'going' | 'stopping'>;
  readonly questions: WeakSet<Question>;
  waitsUntil: number | undefined;
}

export const nothingUnderWay = (): UnderWay => ({
  claims: new WeakMap(),
  questions: new WeakSet(),
  waitsUntil: undefined,
});

/** Of what is owed, what is not under way; from here on it is taken to be. */
export function beginOwed(state: State, underWay: UnderWay): readonly Effect[] {
  if (state.run.stage === 'new' || state.run.stage === 'ended') return [];
  const effects: Effect[] = [];
  for (const claim of state.claims.values()) {
    const doing = isToStop(claim) ? 'stopping' : 'going';
    if (underWay.claims.get(claim) === doing) continue;
    underWay.claims.set(claim, doing);
    effects.push(effectOf(taskAt(state, claim.task), claim));
  }
  for (const question of state.questions.values()) {
    if (underWay.questions.has(question)) continue;
    underWay.questions.add(question);
    effects.push(questionOf(state, question));
  }
  const until = nextWake(state);
  if (until !== undefined && until !== underWay.waitsUntil) effects.push({ type: 'wait', until });
  underWay.waitsUntil = until;
  return effects;
}

const isToStop = ({ cancelling, preempting }: Claim): boolean => cancelling !== undefined || preempting;

function effectOf({ task, steps }: CompiledTask, claim: Claim): Effect {
  const { attempt } = claim;
  switch (claim.work) {
    case 'step':
    case 'resolve': {
      const step = steps[claim.step ?? 0]?.step.id ?? '';
      return { type: isToStop(claim) ? 'stop' : 'work', task: task.path, step, attempt };
    }
    case 'check':
      return { type: isToStop(claim) ? 'stop check' : 'check', task: task.path, attempt };
    case 'merge':
      return { type: isToStop(claim) ? 'stop merge' : 'merge', task: task.path, attempt };
  }
}

function questionOf(state: State, { task: index, step, attempt }: Question): Effect {
  const { task, steps } = taskAt(state, index);
  return { type: 'ask', task: task.path, step: step === undefined ? undefined : steps[step]?.step.id, attempt };
}
