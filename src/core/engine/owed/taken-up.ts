// Which conversation a turn takes up.
//
// taken-up/N3. It follows from the log, so it is the same after a restart. A step in sequence takes up that of the
//     prompt before it, as it was when that ended; another attempt of the step takes up the same one, unless the
//     conversation itself may be to blame.
// taken-up/N5. A step that names another task takes up the conversation with which that task ended.
// taken-up/N4. A turn that goes on where the latest one of its step stopped takes up its own: after a question, to
//     repair its answer, when it was broken off at work (by its provider, by its own death), when a check has sent it
//     back, on a conflict.
import type { CompiledStep } from '../../compile/compiled.ts';
import { redoPoint } from '../../compile/sequence.ts';
import type { Remembered } from '../../protocol/result.ts';
import { factsOf, stepFactsOf, taskAt } from '../facts.ts';
import type { Claim, State } from '../state.ts';
import type { Conversation } from '../../protocol/assignment.ts';

export function takenUp(
  state: State,
  step: CompiledStep,
  claim: Pick<Claim, 'work' | 'agent'>,
): Conversation | undefined {
  const { conversation: own, goesOn, startsFresh } = stepFactsOf(state, step);
  if (startsFresh) return undefined;
  if (goesOn !== undefined || claim.work === 'resolve' || isSentBack(state, step))
    return conversationOf(state, own, { agent: claim.agent, mode: 'continue' });
  if (step.step.type !== 'prompt' || step.step.resume === 'fresh') return undefined;
  const { resume: mode, resumeTask } = step.step;
  const known = resumeTask === undefined ? conversationBefore(state, step) : conversationIn(state, resumeTask);
  const conversation = conversationOf(state, known, { agent: claim.agent, mode });
  return conversation === undefined || resumeTask === undefined ? conversation : { ...conversation, task: resumeTask };
}

/** A check has failed and the step is done again, on top of what it made; not when its author wants fresh eyes. */
function isSentBack(state: State, step: CompiledStep): boolean {
  const { steps } = taskAt(state, step.task);
  if (factsOf(state, step.task).failedCheck === undefined || step.index !== redoPoint(steps.map((each) => each.step)))
    return false;
  return !isToldToStartFresh(state, step);
}

/** By default the first prompt of an agent is fresh; any other is only when the plan says so. */
function isToldToStartFresh(state: State, step: CompiledStep): boolean {
  if (step.step.type !== 'prompt' || step.step.resume !== 'fresh') return false;
  return promptBefore(state, step) !== undefined;
}

/** Of the last prompt of the same agent in sequence; one that was skipped stands for what it would have taken up. */
function conversationBefore(state: State, step: CompiledStep): Remembered | undefined {
  const before = promptBefore(state, step);
  if (before === undefined) return undefined;
  const { conversation } = stepFactsOf(state, before);
  if (conversation !== undefined) return conversation;
  const isGoingOn = before.step.type === 'prompt' && before.step.resume !== 'fresh';
  return isGoingOn ? conversationBefore(state, before) : undefined;
}

/** The latest of a task that has ended, of its prompts in sequence where there are some. */
function conversationIn(state: State, path: string): Remembered | undefined {
  const index = state.compiled.indexOf.get(path);
  if (index === undefined) return undefined;
  const prompts = taskAt(state, index).steps.filter((each) => stepFactsOf(state, each).conversation !== undefined);
  const last = prompts.findLast(({ step }) => !step.async) ?? prompts.at(-1);
  return last === undefined ? undefined : stepFactsOf(state, last).conversation;
}

/** The last of the same agent, in sequence where there is one. */
function promptBefore(state: State, { task, index, step: of }: CompiledStep): CompiledStep | undefined {
  const earlier = taskAt(state, task)
    .steps.slice(0, index)
    .filter(({ step }) => step.type === 'prompt' && of.type === 'prompt' && step.agent === of.agent);
  return earlier.findLast(({ step }) => !step.async) ?? earlier.at(-1);
}

/** Only programs of one kind can read each other's. */
function conversationOf(
  { compiled }: State,
  known: Remembered | undefined,
  { agent, mode }: Pick<Claim, 'agent'> & Pick<Conversation, 'mode'>,
): Conversation | undefined {
  if (known === undefined) return undefined;
  const useOf = (name: string | undefined): string | undefined =>
    compiled.plan.agents.find((each) => each.name === name)?.use;
  return useOf(known.agent) === useOf(agent) ? { id: known.id, mode, reading: known.reading } : undefined;
}
