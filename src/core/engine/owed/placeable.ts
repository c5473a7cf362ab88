// What a claim asks of the machine that runs it, and where it would do best: from the plan and the log alone.
import type { CompiledTask } from '../../compile/compiled.ts';
import { readTemplate } from '../../plan/expressions/template.ts';
import { isSecretName } from '../../plan/secret-name.ts';
import type { ClaimRef } from '../../protocol/assignment.ts';
import { joinLabels } from '../../plan/host-labels.ts';
import type { Placeable, Whereabouts } from '../../protocol/placement.ts';
import { claimNamed, endsCutOff, factsOf, taskNamed } from '../facts.ts';
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
    isHere: base === undefined || state.compiled.plan.sandbox.tree === 'none' || hasSecret(textOf(task, ref)),
    conversation: claim === undefined ? undefined : conversationOf(state, ref, claim),
    last: factsOf(state, task.index).ranOn,
    base,
    endsCutOff: claim !== undefined && endsCutOff(state, claim),
    refusedOn: factsOf(state, task.index).refusedOn,
  };
}

/** What the claim has the values of templates in. */
function textOf({ task, steps }: CompiledTask, { work, step: id }: ClaimRef): string {
  if (work === 'check') return task.type === 'work' ? (task.check ?? '') : '';
  const step = steps.find((each) => each.step.id === id)?.step;
  if (step?.type === 'run') return step.run;
  return step?.type === 'prompt' ? step.prompt : '';
}

/** Secrets of a machine stay there: a command has those of its own machine in its environment. */
const hasSecret = (text: string): boolean =>
  text.includes('env') &&
  readTemplate(text).references.some(
    ({ root, path: [name] }) => root === 'env' && (name === undefined || isSecretName(String(name))),
  );

function conversationOf(state: State, ref: ClaimRef, claim: Claim): Whereabouts | undefined {
  const task = taskNamed(state.compiled, ref.task);
  const step = task.steps[claim.step ?? -1];
  if (step === undefined || claim.agent === undefined) return undefined;
  return takenUp(state, step, claim)?.last;
}
