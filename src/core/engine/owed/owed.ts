// The owed effects, as data, from the state alone: the one source for the messages to hosts, for `simulate` and for the
// worlds of the tests. No memory holds work that a restart would lose; every effect may begin twice.
import type { ClaimRef } from '../../protocol/assignment.ts';
import type { OwedClaim } from '../../protocol/dispatcher.ts';
import { nameClaim, taskAt } from '../facts.ts';
import { nextWake } from '../decide/next.ts';
import type { Claim, Question, State } from '../state.ts';

/** Everything that is sent to hosts: claims to run, and claims to stop, in the order in which they were made. */
export const owed = (state: State): readonly OwedClaim[] =>
  [...state.claims.values()].map((claim) => ({
    claim: nameClaim(state, claim),
    isToStop: isStopping(claim),
    host: claim.host,
    instance: claim.instance,
    leaseMs: claim.leaseMs,
    waitsFor: claim.waitsFor,
  }));

const isStopping = ({ cancelling, preempting }: Claim): boolean => cancelling !== undefined || preempting;

/** Claims to run on hosts, by name. */
export const claimsOf = (state: State): readonly ClaimRef[] => owed(state).map(({ claim }) => claim);

/** Those of the coordinator's machine: of the others there are copies of files here, which are not of workers here. */
export const claimsHere = (state: State): readonly ClaimRef[] =>
  owed(state).flatMap(({ claim, host }) => (host === undefined ? [claim] : []));

/** All kinds of effects: claims to hosts, questions to people, and a wake-up for the run itself. */
export type Effect =
  | { readonly type: 'work' | 'stop'; readonly claim: ClaimRef }
  | { readonly type: 'ask'; readonly task: string; readonly step: string | undefined; readonly attempt: number }
  | { readonly type: 'wait'; readonly until: number };

/** All effects, whether under way or not. */
export const effectsOf = (state: State): readonly Effect[] => beginEffects(state, nothingUnderWay());

/** Effects that have begun, by their cause; empty after a restart, so that all begin again. */
export interface UnderWay {
  readonly claims: WeakMap<Claim, Extract<Effect, { readonly claim: ClaimRef }>['type']>;
  readonly questions: WeakSet<Question>;
  waitsUntil: number | undefined;
}

export const nothingUnderWay = (): UnderWay => ({
  claims: new WeakMap(),
  questions: new WeakSet(),
  waitsUntil: undefined,
});

/** The effects that are not under way; marks them as under way. */
export function beginEffects(state: State, underWay: UnderWay): readonly Effect[] {
  if (state.run.stage === 'new' || state.run.stage === 'ended') return [];
  const effects: Effect[] = [];
  for (const claim of state.claims.values()) {
    const type = isStopping(claim) ? 'stop' : 'work';
    if (underWay.claims.get(claim) === type) continue;
    underWay.claims.set(claim, type);
    effects.push({ type, claim: nameClaim(state, claim) });
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

function questionOf(state: State, { task: index, step, attempt }: Question): Effect {
  const { task, steps } = taskAt(state, index);
  return { type: 'ask', task: task.path, step: step === undefined ? undefined : steps[step]?.step.id, attempt };
}
