// What the sandbox of a claim is made from: the run's base, what the task's needs made, and how far the task has come.
//
// sandbox-of/N1. A task starts from what its needs had made when it opened, however often its claims are given out.
// sandbox-of/N2. A need that made nothing itself stands for what it needed: a join, a gate, one that was skipped. A
//     subplan stands for all that is in it, and what is in a subplan needs what the subplan needs.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import { factsOf, taskAt } from '../facts.ts';
import type { Claim, State } from '../state.ts';
import { satisfies } from '../token.ts';
import type { SandboxSource } from '../../protocol/assignment.ts';

/** Undefined when the run works in place. */
export function sandboxOf(state: State, task: CompiledTask, claim: Claim | undefined): SandboxSource | undefined {
  const { base } = state.run;
  if (base === undefined || state.compiled.plan.sandbox.tree === 'none' || claim === undefined) return undefined;
  const { tip, conflict, life } = factsOf(state, task.index);
  const onto = claim.work === 'resolve' ? conflict?.onto : undefined;
  const settings = state.compiled.plan.sandbox;
  const { take } = task.task.settings.merge;
  const source = {
    base,
    needs: tipsOfNeeds(state, task),
    from: tip,
    onto,
    settings,
    take,
    at: claim.at,
    isClean: claim.startsClean,
  };
  return life === 0 ? source : { ...source, life };
}

/** In the order of the plan, each once. */
function tipsOfNeeds(state: State, task: CompiledTask): readonly string[] {
  const found = new Set<TaskIndex>();
  const seen = new Set<TaskIndex>();
  const before = factsOf(state, task.index).openingEvent;
  const pending = [...neededBy(state, task)];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (seen.has(index)) continue;
    seen.add(index);
    const { ended, endingEvent, tip } = factsOf(state, index);
    if (ended === undefined || endingEvent > before) continue;
    const need = taskAt(state, index);
    if (ended.ending === 'done' && tip !== undefined) found.add(index);
    else if (need.task.type === 'subplan') pending.push(...need.children);
    else if (satisfies(ended.ending)) pending.push(...neededBy(state, need));
  }
  const inOrder = [...found].sort((one, other) => one - other);
  return [...new Set(inOrder.flatMap((index) => factsOf(state, index).tip ?? []))];
}

/** What it and the subplans around it need. */
function neededBy(state: State, task: CompiledTask): readonly TaskIndex[] {
  const needs = [...task.needs];
  for (let at = task.parent; at !== undefined; at = taskAt(state, at).parent) needs.push(...taskAt(state, at).needs);
  return needs;
}
