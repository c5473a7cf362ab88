// Moves claims, questions and spending from the state under the old plan to the state under the amended plan: the same
// claims and questions, at the places of the new net. Spending is kept (P8).
//
// Limit: a new budget of a task counts the dollars that its steps spent before, but tokens only from the amendment on.
// When that matters, keep an account for every task.

import { assert } from '../../assert.ts';
import { tokensAt } from '../../net/play.ts';
import { putTokens, takeCounted } from '../../net/fire.ts';
import { factsOf, variantOf } from '../facts.ts';
import { exact, reserve, type Account } from '../ledger.ts';
import { isInside, type CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { Claim, State } from '../state.ts';

/** A task of both plans that keeps its state. */
export interface Kept {
  readonly from: CompiledTask;
  readonly to: CompiledTask;
}

export interface Carrying {
  readonly old: State;
  readonly next: State;
  readonly kept: readonly Kept[];
  /** By index in the old plan. */
  readonly keptFrom: ReadonlyMap<TaskIndex, Kept>;
}

export function carryClaims({ old, next, keptFrom }: Carrying): void {
  for (const [place, claim] of old.claims) {
    const to = keptFrom.get(claim.task)?.to;
    assert(to !== undefined, 'What an amendment ends was stopped before.');
    const { at, transition } = workOf(to, claim);
    assert(at !== undefined && transition !== undefined, 'What goes on has a place to be at work in.');
    putTokens(next.play, at, tokensAt(old.play, place));
    takeCounted(next.play, transition);
    next.claims.set(at, { ...claim, task: to.index });
    reserve(next.ledger, to.index, claim.reserve);
  }
  for (const question of old.questions.values()) {
    const to = keptFrom.get(question.task)?.to;
    const at = question.step === undefined ? to?.places.asking : to?.steps[question.step]?.asking;
    if (to !== undefined && at !== undefined) next.questions.set(at, { ...question, task: to.index });
  }
}

interface Work {
  /** The place of its token while it runs. */
  readonly at: number | undefined;
  /** The transition that claimed it. */
  readonly transition: number | undefined;
}

function workOf(task: CompiledTask, claim: Claim): Work {
  const { places, transitions } = task;
  switch (claim.work) {
    case 'step': {
      const variant = variantOf(task, claim);
      return { at: variant?.working, transition: variant?.transitions.claim };
    }
    case 'check':
      return { at: places.checking, transition: transitions.check };
    case 'merge':
      return { at: places.merging, transition: transitions.merge };
    case 'resolve':
      return { at: places.resolving, transition: transitions.resolve };
  }
}

export function carryLedger({ old, next }: Carrying): void {
  Object.assign(next.ledger.run.spent, old.ledger.run.spent);
  carrySeen(old.ledger.run, next.ledger.run);
  for (const { task, index } of next.compiled.tasks) {
    const account = accountOf(next, index);
    if (account === undefined) continue;
    const before = old.compiled.indexOf.get(task.path);
    const known = before === undefined ? undefined : accountOf(old, before);
    if (known !== undefined) carrySeen(known, account);
    Object.assign(account.spent, known?.spent ?? { usd: spentIn(next, index), tokens: 0 });
  }
}

function carrySeen(from: Account, to: Account): void {
  for (const [agent, costs] of from.seen) to.seen.set(agent, costs);
}

/** The account of the task itself, where it has a budget. */
const accountOf = ({ compiled, ledger }: State, index: TaskIndex): Account | undefined =>
  compiled.tasks[index]?.task.budget === undefined ? undefined : ledger.around[index]?.[0];

function spentIn(state: State, index: TaskIndex): number {
  const these = new Set([index]);
  const inside = state.compiled.tasks.filter((task) => isInside(state.compiled, these, task.index));
  return exact(inside.flatMap((task) => factsOf(state, task.index).steps).reduce((sum, { usd }) => sum + usd, 0));
}
