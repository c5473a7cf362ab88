// The other tasks to end because of an event: a failure under `fail_fast`, a race that is won.
//
// spread/D1. Only a note is made, as a fold of the causing event; the events that end the tasks are decided one by one.
// spread/D2. A task ends once before a reset, so a note on it stays true until the reset drops it. Steps may run again,
//     so a note only names the task whose steps to check.
import { isInside, type CompiledStep, type CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { Ended } from '../event.ts';
import { factsOf, isForgiven, taskAt } from '../facts.ts';
import { noteReached } from '../ledger.ts';
import type { State } from '../state.ts';
import type { Why } from '../task-facts.ts';
import { satisfies } from '../token.ts';

export type Spreading =
  | { readonly type: 'opened'; readonly task: CompiledTask }
  | { readonly type: 'ended'; readonly task: CompiledTask; readonly ended: Ended }
  | { readonly type: 'step ended'; readonly step: CompiledStep; readonly ended: Ended };

/** Notes the other tasks to end because of this event. */
export function spread(state: State, happened: Spreading): State {
  switch (happened.type) {
    case 'opened':
      return spreadFromWinner(state, happened.task);
    case 'ended':
      return satisfies(happened.ended.ending) ? state : spreadFromTask(state, happened.task, happened.ended);
    case 'step ended':
      return satisfies(happened.ended.ending) ? state : spreadFromStep(state, happened.step, happened.ended);
  }
}

/** A won race ends the other racers. */
function spreadFromWinner(state: State, { task, needs }: CompiledTask): State {
  if (task.needs.type !== 'race') return state;
  return cancelAll(state, needs, { reason: 'race', cause: task.path });
}

function spreadFromTask(state: State, { task, index, dependents }: CompiledTask, { ending, reason }: Ended): State {
  for (const dependent of dependents) {
    const needing = taskAt(state, dependent);
    const facts = factsOf(state, dependent);
    facts.unmet += 1;
    // Noted once: at the need after which the remaining needs cannot suffice.
    if (facts.unmet !== needing.needs.length - needing.needed + 1) continue;
    const isFailFast = needing.task.type === 'join' && needing.task.onError === 'fail_fast';
    // A join that needs the loser of a race is skipped, which ends no other task.
    if (isFailFast && reason !== 'race')
      cancelAll(state, others(needing.needs, index), { reason: 'fail_fast', cause: task.path });
    // The race is lost, so the failures of its racers are failures like any other.
    if (needing.task.needs.type === 'race') for (const racer of needing.needs) failFast(state, racer);
  }
  return ending === 'failed' ? failFast(state, index) : state;
}

/** Ends the other tasks of a scope that fails fast, unless the failure is part of an undecided race. */
function failFast(state: State, index: number): State {
  const { task, parent, dependents } = taskAt(state, index);
  const hasFailed = factsOf(state, index).ended?.ending === 'failed';
  if (!hasFailed || dependents.some((dependent) => isStillRaced(state, dependent))) return state;
  const around = parent === undefined ? undefined : taskAt(state, parent);
  const { failureMode } = around?.task.settings ?? state.compiled.plan.settings;
  if (failureMode !== 'fail_fast') return state;
  const siblings = around?.children ?? rootsOf(state);
  return cancelAll(state, others(siblings, index), { reason: 'fail_fast', cause: task.path });
}

/** A race is undecided while one racer may still win; until then the failure of another racer is part of the race. */
function isStillRaced(state: State, dependent: number): boolean {
  const { task, needs, needed } = taskAt(state, dependent);
  return task.needs.type === 'race' && factsOf(state, dependent).unmet <= needs.length - needed;
}

const rootsOf = ({ compiled }: State): readonly number[] =>
  compiled.tasks.flatMap(({ index, parent }) => (parent === undefined ? [index] : []));

function spreadFromStep(state: State, step: CompiledStep, ended: Ended): State {
  if (isForgiven(step, ended.ending)) return state;
  const facts = factsOf(state, step.task);
  if (ended.ending === 'failed' && !isLeftToJoins(state, step))
    facts.failing ??= { reason: ended.reason ?? 'failed', cause: ended.cause, step: step.index };
  state.toEnd.push({ type: 'steps', task: step.task });
  return state;
}

/** A failure that only joins collect is decided by those joins. */
function isLeftToJoins(state: State, { task, collectors }: CompiledStep): boolean {
  const { steps } = taskAt(state, task);
  return collectors.length > 0 && collectors.every((collector) => steps[collector]?.step.type === 'join');
}

const others = (all: readonly number[], one: number): readonly number[] => all.filter((each) => each !== one);

/** A ceiling was reached: where the budget says so, notes all running steps under it to be ended. */
export function spreadFromCeiling(state: State, task: TaskIndex, { reason, budget }: Reached): void {
  if (reason !== 'cost' || noteReached(state.ledger, task, budget) !== 'stop') return;
  const scope = budget === undefined ? undefined : new Set([state.compiled.indexOf.get(budget) ?? -1]);
  for (const { index } of state.compiled.tasks)
    if (scope === undefined || isInside(state.compiled, scope, index))
      state.toEnd.push({ type: 'spending', task: index, budget });
}

interface Reached {
  readonly reason?: string | undefined;
  /** The task or subplan with the budget; undefined: the run. */
  readonly budget?: string | undefined;
}

/** Notes these tasks, and all tasks inside them, to be cancelled, in this order. */
export function cancelAll(state: State, tasks: readonly number[], why: Why): State {
  for (const task of tasks.toReversed()) {
    if (factsOf(state, task).ended !== undefined) continue;
    cancelAll(state, taskAt(state, task).children, why);
    state.toEnd.push({ type: 'task', task, why });
  }
  return state;
}
