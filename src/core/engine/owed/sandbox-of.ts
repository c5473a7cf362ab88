// The sources of a claim's sandbox: the run's base, the work of the task's needs, and the task's own progress.
//
// sandbox-of/N1. A task starts from the work of its needs at the time it opened, however often its claims are assigned.
// sandbox-of/N2. A need without work of its own (a join, a gate, a skipped task) is replaced by its own needs. A
//     subplan is replaced by all tasks in it, and the tasks in a subplan also have the needs of the subplan.
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

/** The needs of the task and of the subplans around it. */
function neededBy(state: State, task: CompiledTask): readonly TaskIndex[] {
  const needs = [...task.needs];
  for (let at = task.parent; at !== undefined; at = taskAt(state, at).parent) needs.push(...taskAt(state, at).needs);
  return needs;
}
