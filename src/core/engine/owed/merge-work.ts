// The merge of a task's work: all input of the merge queue, from the state alone, so that a restart sends the same
// merge again. Merges go in the order of their claims.
// A conflict becomes the prompt of an agent's turn, with the intents of both tasks in the words of the plan.
import { assert } from '../../assert.ts';
import { claimAt, factsOf, stepFactsOf, taskAt } from '../facts.ts';
import { taskOfPath, type CompiledTask } from '../../compile/compiled.ts';
import type { MergeWork, Work } from '../../protocol/assignment.ts';
import { checksOfDone, checksOfMerge } from './task-checks.ts';
import type { RunInputs } from '../scope.ts';
import type { Claim, State } from '../state.ts';
import type { Agent, Step } from '../../plan/plan.ts';
import { isReadOnly } from '../../plan/result-step.ts';
import { withSummary, type ConversationThere } from './moved-conversation.ts';
import { renderedOrWritten } from './rendered-text.ts';
import { permittedIn } from './taken-up.ts';

export function mergeWork(state: State, compiled: CompiledTask, given: RunInputs): MergeWork {
  const { task, index, places } = compiled;
  const claim = claimAt(state, places.merging);
  assert(claim !== undefined, 'What is assigned is claimed.');
  const { tip, conflict } = factsOf(state, index);
  const others = (conflict?.ever ?? []).flatMap((path) => taskOfPath(state.compiled, path) ?? []);
  return {
    type: 'merge',
    tip,
    base: state.run.base,
    after: state.run.merged,
    at: claim.at,
    intent: intentOf(state, compiled, given),
    ...contributionsTo(state, compiled),
    take: task.settings.merge.take,
    checks: checksOfMerge(state, compiled, { given, others }),
    checksOfDone: checksOfDone(state, given),
    hasConflicted: conflict !== undefined,
  };
}

/** Maximum number of characters of an answer. */
const ANSWER_MAX = 4_000;

/** The answer and the agents of a task, for the message of its commit. */
function contributionsTo(state: State, { steps }: CompiledTask): Pick<MergeWork, 'answer' | 'agents'> {
  const turns = steps.flatMap((step) => {
    const { conversation, result } = stepFactsOf(state, step);
    if (step.step.type !== 'prompt' || isReadOnly(step.step) || result === undefined) return [];
    return [{ agent: conversation?.agent ?? step.step.agent, response: result.response }];
  });
  const names = new Set(turns.map(({ agent }) => agent));
  const answer = turns.findLast(({ response }) => response !== undefined)?.response?.trim() ?? '';
  return {
    answer: answer.length > ANSWER_MAX ? `${answer.slice(0, ANSWER_MAX)}…` : answer,
    agents: state.compiled.plan.agents.filter(({ name }) => names.has(name)).map(({ use, model }) => ({ use, model })),
  };
}

/** Maximum number of characters of one task's intent. */
const INTENT_MAX = 4_000;

/** The task's description, else its prompts, else its commands. */
function intentOf(state: State, task: CompiledTask, given: RunInputs): string {
  const { description, type } = task.task;
  const steps = type === 'work' ? task.task.steps : [];
  const prompts = steps.flatMap((step) => (step.type === 'prompt' && !isReadOnly(step) ? [step.prompt] : []));
  const texts = prompts.length > 0 ? prompts : steps.flatMap(commandOf);
  const intent = description ?? texts.map((text) => renderedOrWritten(state, task, { text, given })).join('\n\n');
  return intent.length > INTENT_MAX ? `${intent.slice(0, INTENT_MAX)}…` : intent;
}

const commandOf = (step: Step): readonly string[] => (step.type === 'run' ? [step.run] : []);

/** Maximum number of listed files, and of listed tasks on the other side; more are only counted. */
const PATHS_MAX = 100;
const OTHERS_MAX = 10;

export interface ResolveWork {
  readonly claim: Claim;
  readonly given: RunInputs;
  readonly there: ConversationThere;
}

export function resolveWork(state: State, task: CompiledTask, { claim, given, there }: ResolveWork): Work {
  const step = task.steps[task.resolver ?? -1];
  assert(step !== undefined, 'A task whose conflicts an agent resolves has a step with that agent.');
  const { conversation, summary } = there;
  const permitted = permittedIn(state, step, claim);
  return {
    type: 'turn',
    agent: agentOfClaim(state, claim),
    prompt: withSummary(promptFor(state, task, given), summary),
    conversation,
    ...permitted,
  };
}

export function agentOfClaim({ compiled }: State, claim: Pick<Claim, 'agent'>): Agent {
  const agent = compiled.plan.agents.find(({ name }) => name === claim.agent);
  assert(agent !== undefined, 'A checked plan names only agents that it has.');
  return agent;
}

function promptFor(state: State, task: CompiledTask, given: RunInputs): string {
  const { conflict, tip } = factsOf(state, task.index);
  assert(conflict !== undefined, 'A turn on a conflict is claimed when there is one.');
  const { path } = task.task;
  const check = task.task.type === 'work' ? task.task.check : undefined;
  const others = conflict.with.flatMap((name) => state.compiled.indexOf.get(name) ?? []);
  return [
    `The work of the task ${path} does not fit together with what has been merged before it${
      conflict.with.length === 0 ? '' : ` from ${conflict.with.join(', ')}`
    }. Make it fit: the files of this folder hold both sides, with conflict markers where they differ, and between the markers also what both began with. What markers cannot show is told in HEDDLE-CONFLICTS.md, if that is there: decide what it lists, then delete it.`,
    [
      `Where both began: ${state.run.base ?? 'unknown'}`,
      `This task's side: ${tip ?? 'unknown'}`,
      `The other side: ${conflict.onto ?? 'unknown'}`,
    ].join('\n'),
    `Files in conflict:\n${few(conflict.paths, PATHS_MAX)
      .map((each) => `- ${each}`)
      .join('\n')}`,
    `What ${path} was to do:\n\n${intentOf(state, task, given)}`,
    ...others.slice(0, OTHERS_MAX).map((index) => {
      const other = taskAt(state, index);
      return `What ${other.task.path} was to do:\n\n${intentOf(state, other, given)}`;
    }),
    'Keep what both sides were to do; never settle it by dropping one of them. Leave no conflict marker behind.',
    ...(conflict.refused === undefined ? [] : [`It was tried before and not taken:\n\n${conflict.refused}`]),
    ...(check === undefined ? [] : [`It is done when this passes: ${check}`]),
  ].join('\n\n');
}

function few(names: readonly string[], limit: number): readonly string[] {
  return names.length <= limit ? names : [...names.slice(0, limit), `and ${names.length - limit} more`];
}
