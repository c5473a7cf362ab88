// What must be done, as data, from the state alone: the one source of what hosts and the merge queue are sent, and of
// what `simulate` and the worlds of the tests do. No memory holds work that a restart would lose; every effect may begin
// twice.
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

/** A claim that is to be carried out, or to be stopped. */
interface OwedWork extends OwedClaim {
  readonly work: Claim['work'];
}

const owedWork = (state: State): readonly OwedWork[] => [...state.claims.values()].map((claim) => workOf(state, claim));

const isStopping = ({ cancelling, preempting }: Claim): boolean => cancelling !== undefined || preempting;

function workOf(state: State, claim: Claim): OwedWork {
  const { work, task: index, step: at, attempt } = claim;
  const { task, steps } = taskAt(state, index);
  const step = at === undefined ? undefined : steps[at]?.step.id;
  return { work, claim: { task: task.path, step, attempt }, isToStop: isStopping(claim) };
}

/** What hosts are sent. Merges are the merge queue's. */
export const owedToHosts = (state: State): readonly OwedClaim[] =>
  owedWork(state).filter(({ work }) => work !== 'merge');

/** What the merge queue is sent. */
export const owedMerges = (state: State): readonly OwedClaim[] =>
  owedWork(state).filter(({ work }) => work === 'merge');

/** Claims in hosts' hands, by name. */
export const claimsOfHosts = (state: State): readonly ClaimRef[] => owedToHosts(state).map(({ claim }) => claim);

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
    const doing = isStopping(claim) ? 'stopping' : 'going';
    if (underWay.claims.get(claim) === doing) continue;
    underWay.claims.set(claim, doing);
    effects.push(effectOf(workOf(state, claim)));
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

function effectOf({ work, claim: { task, step = '', attempt }, isToStop }: OwedWork): Effect {
  switch (work) {
    case 'step':
    case 'resolve':
      return { type: isToStop ? 'stop' : 'work', task, step, attempt };
    case 'check':
      return { type: isToStop ? 'stop check' : 'check', task, attempt };
    case 'merge':
      return { type: isToStop ? 'stop merge' : 'merge', task, attempt };
  }
}

function questionOf(state: State, { task: index, step, attempt }: Question): Effect {
  const { task, steps } = taskAt(state, index);
  return { type: 'ask', task: task.path, step: step === undefined ? undefined : steps[step]?.step.id, attempt };
}
