// What must be done, as data, from the state alone. No memory holds work that a restart would lose; every effect may
// be begun twice.
import type { CompiledTask } from '../compile/compiled.ts';
import { taskAt } from './facts.ts';
import { nextWake } from './decide/next.ts';
import type { Claim, State } from './state.ts';

interface OfStep {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
}

export type Effect =
  | ({ readonly type: 'work' } & OfStep)
  | ({ readonly type: 'stop' } & OfStep)
  | { readonly type: 'check' | 'stop check' | 'merge' | 'stop merge'; readonly task: string; readonly attempt: number }
  | { readonly type: 'ask'; readonly task: string; readonly step: string | undefined; readonly attempt: number }
  | { readonly type: 'wait'; readonly until: number };

export function owed(state: State): readonly Effect[] {
  if (state.run.stage === 'new' || state.run.stage === 'ended') return [];
  const effects: Effect[] = [...state.claims.values()].map((claim) => effectOf(taskAt(state, claim.task), claim));
  effects.push(...questions(state));
  const until = nextWake(state);
  if (until !== undefined) effects.push({ type: 'wait', until });
  return effects;
}

function effectOf({ task, steps }: CompiledTask, claim: Claim): Effect {
  const { attempt } = claim;
  switch (claim.type) {
    case 'step': {
      const step = steps[claim.step ?? 0]?.step.id ?? '';
      return { type: claim.condemned === undefined ? 'work' : 'stop', task: task.path, step, attempt };
    }
    case 'check':
      return { type: claim.condemned === undefined ? 'check' : 'stop check', task: task.path, attempt };
    case 'merge':
      return { type: claim.condemned === undefined ? 'merge' : 'stop merge', task: task.path, attempt };
  }
}

function questions(state: State): readonly Effect[] {
  return [...state.questions.values()].map(({ task: index, step, attempt }) => {
    const { task, steps } = taskAt(state, index);
    return { type: 'ask', task: task.path, step: step === undefined ? undefined : steps[step]?.step.id, attempt };
  });
}
