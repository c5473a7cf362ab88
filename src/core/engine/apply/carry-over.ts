// The state of an amended run: the state of the new plan, with the progress of every kept task.
//
// carry-over/N6. Leave out of the log all events of tasks that are not kept, and the ends of reopened subplans: the
//     remaining events fire in the new net, except for pools that became too small, and lead to this marking.
// carry-over/N7. A pool or cap that is now smaller than its tokens in use owes the difference, so nothing is claimed
//     from it until enough is returned (P7).
// carry-over/N8. Spending is kept, and the numbers of attempts, checks, merges and questions continue, also for removed
//     tasks that a later plan adds again (reset-tasks/W2).
//
// Limit: a new budget of a task counts the dollars that its steps spent before, but tokens only from the amendment on.
// When that matters, keep an account for every task.

import { assert } from '../../assert.ts';
import { compile } from '../../compile/compile.ts';
import { fire, putTokens, takeCounted } from '../../net/fire.ts';
import { countAt, tokensAt } from '../../net/play.ts';
import { putArrivals, putEnd } from './reset-tasks.ts';
import { factsOf, taskAt, variantOf } from '../facts.ts';
import { orderIn } from '../order.ts';
import { standInLine } from '../starvation-guard.ts';
import { startState, type Claim, type Retired, type State } from '../state.ts';
import { FRESH } from '../token.ts';
import { isInside, taskOfPath, type CompiledTask } from '../../compile/compiled.ts';
import type { PlanAmended } from '../event.ts';
import { exact, reserve, type Account } from '../ledger.ts';
import type { TaskIndex } from '../../compile/meaning.ts';

/** Turns the given state into the state under the new plan. */
export function carryOver(state: State, event: PlanAmended): State {
  const compiled = compile(event.plan);
  const old = { ...state };
  const next = startState(compiled, orderIn(compiled, old.order.policy, event.priorities));
  const kept = keptOf(old, next, event);
  const carrying = { old, next, kept, keptFrom: new Map(kept.map((each) => [each.from.index, each])) };
  carryRun(carrying);
  carryNumbers(carrying);
  for (const each of kept) carryTask(carrying, each);
  const reopened = event.reopened.flatMap((path) => compiled.indexOf.get(path) ?? []);
  for (const index of reopened)
    Object.assign(factsOf(next, index), { ended: undefined, endedAt: undefined, result: undefined });
  putEntries(carrying);
  carryClaims(carrying);
  carryLedger(carrying);
  carryNotes(carrying, event);
  standAllInLine(next);
  return Object.assign(state, next);
}

function keptOf(old: State, next: State, { restarted, changed }: PlanAmended): readonly Kept[] {
  const isAnew = new Set([...restarted, ...changed]);
  return old.compiled.tasks.flatMap((from) => {
    const to = taskOfPath(next.compiled, from.task.path);
    return to === undefined || isAnew.has(from.task.path) ? [] : [{ from, to }];
  });
}

/** Keeps the run started or paused and its pools closed or throttled. A run that had ended becomes active. */
function carryRun({ old, next }: Carrying): void {
  const { run, pools, plan } = next.compiled;
  const isPaused = countAt(old.play, old.compiled.run.paused) > 0;
  fire(next.play, run.start, FRESH);
  if (isPaused) fire(next.play, run.pause, FRESH);
  Object.assign(next.run, old.run, { stage: isPaused ? 'paused' : 'going', endedAt: undefined });
  for (const [name, { close, size }] of pools) {
    const before = old.compiled.pools.get(name);
    const dryUntil = old.exhausted.get(name);
    const throttled = old.throttled.get(name);
    if (before !== undefined && countAt(old.play, before.closed) > 0) fire(next.play, close, FRESH);
    if (dryUntil !== undefined) next.exhausted.set(name, dryUntil);
    if (throttled !== undefined && throttled.limit < size) next.throttled.set(name, { ...throttled });
  }
  for (const [agent, until] of old.exhaustedAgents)
    if (plan.agents.some(({ name }) => name === agent)) next.exhaustedAgents.set(agent, until);
}

function carryTask({ old, next }: Carrying, { from, to }: Kept): void {
  const facts = factsOf(old, from.index);
  Object.assign(factsOf(next, to.index), facts);
  if (countAt(old.play, from.places.waiting) > 0) return;
  putTokens(next.play, to.places.waiting, []);
  if (facts.ended !== undefined) return;
  const after = restingPlaces(to);
  restingPlaces(from).forEach((place, at) => {
    const tokens = place === undefined ? [] : tokensAt(old.play, place);
    const there = after[at];
    if (tokens.length === 0) return;
    assert(there !== undefined, 'A task that is kept while it is open has the stages that it had.');
    putTokens(next.play, there, tokens);
  });
}

/** Possible places of an open task's tokens while nothing of the task is running. */
function restingPlaces({ places, steps }: CompiledTask): readonly (number | undefined)[] {
  const { worked, queued, conflicted, asking } = places;
  return [worked, queued, conflicted, asking, ...steps.flatMap((step) => [...step.ready, step.asking])];
}

/** Tokens before the opening of a task follow from the endings of its needs and from the open subplans around it. */
function putEntries({ old, next }: Carrying): void {
  for (const task of next.compiled.tasks) {
    const { index, parent, places } = task;
    const around = parent === undefined ? undefined : factsOf(next, parent);
    const isAroundOpen = around?.openedAt !== undefined || around?.dropped !== undefined;
    if (places.entry !== undefined && isAroundOpen && countAt(next.play, places.waiting) > 0)
      putTokens(next.play, places.entry, [entryToken(old, task)]);
    if (around?.ended === undefined) putEnd(next, index);
    putArrivals(next, task);
  }
}

function entryToken(old: State, { task }: CompiledTask) {
  const place = taskOfPath(old.compiled, task.path)?.places.entry;
  return (place === undefined ? undefined : tokensAt(old.play, place)[0]) ?? FRESH;
}

function carryNotes({ old, next, keptFrom }: Carrying, { again }: PlanAmended): void {
  const { indexOf } = next.compiled;
  for (const note of old.toEnd) {
    const kept = keptFrom.get(note.task);
    if (kept !== undefined) next.toEnd.push({ ...note, task: kept.to.index });
  }
  for (const { task: path, reason, cause } of again) {
    const task = indexOf.get(path);
    if (task !== undefined) next.toEnd.push({ type: 'task', task, why: { reason, cause } });
  }
  for (const index of old.deferred.paused) {
    const task = indexOf.get(taskAt(old, index).task.path);
    if (task !== undefined) next.deferred.paused.add(task);
  }
  for (const index of old.queue) {
    const kept = keptFrom.get(index);
    if (kept !== undefined) next.queue.add(kept.to.index);
  }
  for (const [key, failure] of old.repeatedFailures) {
    const tasks = failure.tasks.flatMap((index) => keptFrom.get(index)?.to.index ?? []);
    if (tasks.length > 0) next.repeatedFailures.set(key, { ...failure, tasks });
  }
}

function standAllInLine({ guard, compiled, play }: State): void {
  if (guard === undefined) return;
  for (const { steps } of compiled.tasks)
    for (const step of steps) if (step.ready.every((place) => countAt(play, place) > 0)) standInLine(guard, step);
}

/** Saves the numbers of all tasks that are not kept, and restores saved numbers for tasks that are added again. */
function carryNumbers({ old, next, keptFrom }: Carrying): void {
  for (const [path, numbers] of old.retired) next.retired.set(path, numbers);
  for (const { task, index } of old.compiled.tasks)
    if (!keptFrom.has(index)) next.retired.set(task.path, numbersOf(old, index, next.retired.get(task.path)));
  for (const { task, steps, index } of next.compiled.tasks) {
    const numbers = next.retired.get(task.path);
    if (numbers === undefined) continue;
    const facts = factsOf(next, index);
    const { merges, checks, asked, life } = numbers;
    Object.assign(facts, { merges, checks, asked, life: life + 1 });
    for (const { step, index: at } of steps) Object.assign(facts.steps[at] ?? {}, numbers.steps.get(step.id));
  }
}

function numbersOf(state: State, index: number, earlier: Retired | undefined): Retired {
  const { merges, checks, asked, life, steps } = factsOf(state, index);
  const byStep = new Map(earlier?.steps);
  for (const { step, index: at } of taskAt(state, index).steps) {
    const { attempts, usd } = steps[at] ?? { attempts: 0, usd: 0 };
    byStep.set(step.id, { attempts, usd });
  }
  return { merges, checks, asked, life, steps: byStep };
}

/** A task of both plans that keeps its state. */
interface Kept {
  readonly from: CompiledTask;
  readonly to: CompiledTask;
}

interface Carrying {
  readonly old: State;
  readonly next: State;
  readonly kept: readonly Kept[];
  /** By index in the old plan. */
  readonly keptFrom: ReadonlyMap<TaskIndex, Kept>;
}

function carryClaims({ old, next, keptFrom }: Carrying): void {
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

function carryLedger({ old, next }: Carrying): void {
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
