// The merge of a task's work: all input of the merge queue, from the state alone, so that a restart sends the same
// merge again. Merges go in the order of their claims.
import { assert } from '../../assert.ts';
import { claimAt, factsOf, stepFactsOf, taskAt } from '../facts.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import type { MergeWork } from '../../protocol/assignment.ts';
import { intentOf } from './intent.ts';
import { checksOfDone, checksOfMerge } from './task-checks.ts';
import type { Given } from '../scope.ts';
import type { State } from '../state.ts';

export function mergeWork(state: State, compiled: CompiledTask, given: Given): MergeWork {
  const { task, index, places } = compiled;
  const claim = claimAt(state, places.merging);
  assert(claim !== undefined, 'What is assigned is claimed.');
  const { tip, conflict } = factsOf(state, index);
  const others = (conflict?.ever ?? []).flatMap((path) => {
    const other = state.compiled.indexOf.get(path);
    return other === undefined ? [] : [taskAt(state, other)];
  });
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
    if (step.step.type !== 'prompt' || result === undefined) return [];
    return [{ agent: conversation?.agent ?? step.step.agent, response: result.response }];
  });
  const names = new Set(turns.map(({ agent }) => agent));
  const answer = turns.findLast(({ response }) => response !== undefined)?.response?.trim() ?? '';
  return {
    answer: answer.length > ANSWER_MAX ? `${answer.slice(0, ANSWER_MAX)}…` : answer,
    agents: state.compiled.plan.agents.filter(({ name }) => names.has(name)).map(({ use, model }) => ({ use, model })),
  };
}
