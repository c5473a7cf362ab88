// The conversation that a turn takes up, and its permissions: the policy of the plan, and the decisions of people.
//
// taken-up/N3. The choice follows from the log, so it is the same after a restart. A step in sequence takes up the
//     conversation of the prompt before it, as it was when that step ended; another attempt of the step takes up the
//     same one, unless the conversation itself may have caused the failure.
// taken-up/N6. An agent that the step escalates to takes up no conversation of the agents before it.
// taken-up/N5. A step that names another task takes up the last conversation of that task.
// taken-up/N4. A turn that continues the latest turn of its step takes up its own conversation: after a question, to
//     repair its answer, after an interruption (by its provider, by a crash), after a failed check, after a round of a loop with feedback, on a conflict.
import { taskOfPath, type CompiledStep } from '../../compile/compiled.ts';
import { redoPoint } from '../../compile/sequence.ts';
import { factsOf, stepFactsOf, taskAt } from '../facts.ts';
import type { Claim, State } from '../state.ts';
import type { Located } from '../step-facts.ts';
import type { Conversation, TurnPermissions, Work } from '../../protocol/assignment.ts';

export interface TakenUp {
  readonly conversation: Conversation;
  /** As the latest turn of it left it. */
  readonly last: Located;
}

export function takenUp(state: State, step: CompiledStep, claim: Pick<Claim, 'work' | 'agent'>): TakenUp | undefined {
  const { conversation: own, goesOn, startsFresh } = stepFactsOf(state, step);
  if (startsFresh) return undefined;
  if (goesOn !== undefined || claim.work === 'resolve' || isSentBack(state, step))
    return conversationOf(state, ownOf(step, own, claim), { agent: claim.agent, mode: 'continue' });
  if (step.step.type !== 'prompt' || step.step.resume === 'fresh') return undefined;
  const { resume: mode, resumeTask } = step.step;
  const known = resumeTask === undefined ? conversationBefore(state, step) : conversationIn(state, resumeTask);
  const taken = conversationOf(state, known, { agent: claim.agent, mode });
  if (taken === undefined || resumeTask === undefined) return taken;
  return { ...taken, conversation: { ...taken.conversation, task: resumeTask } };
}

/** The next agent of `escalate` starts a conversation of its own. */
const ownOf = ({ step }: CompiledStep, own: Located | undefined, { agent }: Pick<Claim, 'agent'>) =>
  step.type === 'prompt' && step.escalation !== undefined && own?.agent !== agent ? undefined : own;

/** A check failed and the step runs again on top of its work; not when the plan asks for a fresh conversation. */
function isSentBack(state: State, step: CompiledStep): boolean {
  const { steps } = taskAt(state, step.task);
  const { failedCheck, feedback } = factsOf(state, step.task);
  if ((failedCheck ?? feedback) === undefined || step.index !== redoPoint(steps.map((each) => each.step))) return false;
  return !isToldToStartFresh(state, step);
}

/** The first prompt of an agent is fresh by default; any other only when the plan says so. */
function isToldToStartFresh(state: State, step: CompiledStep): boolean {
  if (step.step.type !== 'prompt' || step.step.resume !== 'fresh') return false;
  return promptBefore(state, step) !== undefined;
}

/** From the last prompt of the same agent in sequence; a skipped prompt passes on the conversation before it. */
function conversationBefore(state: State, step: CompiledStep): Located | undefined {
  const before = promptBefore(state, step);
  if (before === undefined) return undefined;
  const { conversation } = stepFactsOf(state, before);
  if (conversation !== undefined) return conversation;
  const isGoingOn = before.step.type === 'prompt' && before.step.resume !== 'fresh';
  return isGoingOn ? conversationBefore(state, before) : undefined;
}

/** The latest conversation of an ended task, from its prompts in sequence where it has some. */
function conversationIn(state: State, path: string): Located | undefined {
  const steps = taskOfPath(state.compiled, path)?.steps ?? [];
  const prompts = steps.filter((each) => stepFactsOf(state, each).conversation !== undefined);
  const last = prompts.findLast(({ step }) => !step.async) ?? prompts.at(-1);
  return last === undefined ? undefined : stepFactsOf(state, last).conversation;
}

/** The last prompt of the same agent, in sequence where there is one. */
function promptBefore(state: State, { task, index, step: of }: CompiledStep): CompiledStep | undefined {
  const earlier = taskAt(state, task)
    .steps.slice(0, index)
    .filter(({ step }) => step.type === 'prompt' && of.type === 'prompt' && step.agent === of.agent);
  return earlier.findLast(({ step }) => !step.async) ?? earlier.at(-1);
}

/** Only agents of the same kind can read each other's conversations. */
function conversationOf(
  { compiled }: State,
  known: Located | undefined,
  { agent, mode }: Pick<Claim, 'agent'> & Pick<Conversation, 'mode'>,
): TakenUp | undefined {
  if (known === undefined) return undefined;
  const useOf = (name: string | undefined): string | undefined =>
    compiled.plan.agents.find((each) => each.name === name)?.use;
  if (useOf(known.agent) !== useOf(agent)) return undefined;
  return { conversation: { id: known.id, mode, reading: known.reading }, last: known };
}

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
