// What is to be merged, for the merge queue: everything it must know, from the state alone, so that it can be told again
// after a restart and does the same again.
//
// merges/M1. Tasks are listed in the order in which they are to be merged: that of their claims, or that of the plan.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { Agent, TakeRule } from '../../plan/plan.ts';
import { factsOf, stepFactsOf, taskAt } from '../facts.ts';
import type { Limits } from '../../protocol/assignment.ts';
import { intentOf } from './intent.ts';
import { checksOfMerge } from './task-checks.ts';
import type { Given } from '../expressions/scope.ts';
import type { Claim, State } from '../state.ts';

export interface MergeRequest {
  readonly task: string;
  /** The fence: outcomes name it. */
  readonly attempt: number;
  /** The commit to merge; undefined when the task has made none, and then there is nothing to merge. */
  readonly tip: string | undefined;
  /** The commit that the run starts from. */
  readonly base: string | undefined;
  /** When the merge was claimed; dates the merge commit. */
  readonly at: number;
  /** What the task was to do, for messages and for resolving a conflict. */
  readonly intent: string;
  /** The last answer of its agents; empty when no agent worked on it. */
  readonly answer: string;
  /** The agents that worked on it. */
  readonly agents: readonly Pick<Agent, 'use' | 'model'>[];
  readonly take: readonly TakeRule[];
  /**
   * Commands that must pass on what it is merged to, each once: the task's check, that for merges, and the checks of those
   * whose work it conflicted with.
   */
  readonly checks: readonly string[];
  readonly limits: Limits;
  /** It has met a conflict before, so its work shows how that was settled. */
  readonly hasConflicted: boolean;
  /** It is to be stopped, unless it is merged already. */
  readonly isToStop: boolean;
}

export function mergesOf(state: State, given: Given): readonly MergeRequest[] {
  const claims = [...state.claims.values()].filter(({ work }) => work === 'merge');
  const isByPlan = state.compiled.plan.settings.merge.order === 'plan';
  const inOrder = isByPlan ? claims.sort((one, other) => one.task - other.task) : claims;
  return inOrder.map((claim) => orderOf(state, claim, given));
}

function orderOf(state: State, { task: index, attempt, at, cancelling }: Claim, given: Given): MergeRequest {
  const compiled = taskAt(state, index);
  const { task } = compiled;
  const { timeoutMs, idleTimeoutMs } = task.settings;
  const { tip, conflict } = factsOf(state, index);
  const others = (conflict?.ever ?? []).flatMap((path) => {
    const other = state.compiled.indexOf.get(path);
    return other === undefined ? [] : [taskAt(state, other)];
  });
  return {
    task: task.path,
    attempt,
    tip,
    base: state.run.base,
    at,
    intent: intentOf(state, compiled, given),
    ...contributionsTo(state, compiled),
    take: task.settings.merge.take,
    checks: checksOfMerge(state, compiled, { given, others }),
    limits: { timeoutMs, idleTimeoutMs },
    hasConflicted: conflict !== undefined,
    isToStop: cancelling !== undefined,
  };
}

/** Characters of an answer beyond this many are left out. */
const ANSWER_MAX = 4_000;

/** What agents contributed to a task, for the message of its commit. */
function contributionsTo(state: State, { steps }: CompiledTask): Pick<MergeRequest, 'answer' | 'agents'> {
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
