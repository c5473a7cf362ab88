// What a claim asks of the machine that runs it, and where it would do best: from the plan and the log alone.
import type { ClaimRef } from '../../protocol/assignment.ts';
import { joinLabels } from '../../plan/host-labels.ts';
import type { Placeable, Whereabouts } from '../../protocol/placement.ts';
import { claimNamed, factsOf, taskNamed } from '../facts.ts';
import type { Claim, State } from '../state.ts';
import { takenUp } from './taken-up.ts';

export function placeableOf(state: State, ref: ClaimRef): Placeable {
  const task = taskNamed(state.compiled, ref.task);
  const claim = claimNamed(state, ref);
  const step = task.steps.find((each) => each.step.id === ref.step);
  const { base } = state.run;
  const agent = state.compiled.plan.agents.find(({ name }) => name === claim?.agent);
  return {
    on: joinLabels(step?.step.on ?? task.task.on, agent?.on) ?? [],
    agent: agent?.use,
    isInPlace: base === undefined || state.compiled.plan.sandbox.tree === 'none',
    conversation: claim === undefined ? undefined : conversationOf(state, ref, claim),
    last: factsOf(state, task.index).ranOn,
    base,
    refusedOn: factsOf(state, task.index).refusedOn,
  };
}

function conversationOf(state: State, ref: ClaimRef, claim: Claim): Whereabouts | undefined {
  const task = taskNamed(state.compiled, ref.task);
  const step = task.steps[claim.step ?? -1];
  if (step === undefined || claim.agent === undefined) return undefined;
  return takenUp(state, step, claim)?.last;
}
