// Compares a changed plan with the state of a run: the tasks to keep, restart, add and cancel.
//
// amendment/N3. A kept task has used nothing of a restarted task: every task that continued from a restarted task
//     restarts too.
// amendment/N4. Done work is never orphaned: an amendment that would restart or remove a done task is refused.
//
// The identity of a task is its work, the tasks it needs and the check of its result.
//
// amendment/N1. A task whose identity has changed is another task: work done for the old task does not count for
//     it.
// amendment/N2. Everything else is settings: agents, limits, pools, budgets, estimates, descriptions. Settings may
//     change while a task runs, and hold for the attempts that begin after the change.
import { taskOfPath, type Compiled, type CompiledTask } from '../compile/compiled.ts';
import type { TaskIndex } from '../compile/meaning.ts';
import type { Need, Plan, Step, Task } from '../plan/plan.ts';
import { countAt } from '../net/play.ts';
import { isReadOnly } from '../plan/result-step.ts';
import { decidedRace } from './reset-set.ts';
import { endsCutOffIn, factsOf, isLasting, taskAt, variantOf } from './facts.ts';
import type { Claim, State } from './state.ts';
import type { TaskFacts, Why } from './task-facts.ts';
import { restartsOf, type Because, type Restarts } from './restarts.ts';

/** Why a run cannot follow a changed plan. */
export type AmendRefusal =
  /** Another amendment of the run is pending. */
  | { readonly code: 'amend.pending' }
  /** Fixed when the run started. */
  | { readonly code: 'amend.base'; readonly before: string; readonly after: string }
  | { readonly code: 'amend.tree' | 'amend.isolation'; readonly before: string }
  /** The run was not given these inputs. */
  | { readonly code: 'amend.inputs'; readonly names: readonly string[] }
  /** The changed plan lacks the task, but the task is done. */
  | { readonly code: 'amend.done.removed'; readonly task: string }
  | { readonly code: 'amend.done.redefined'; readonly task: string; readonly parts: readonly string[] }
  /** The task is done on top of `by`, which would restart. */
  | { readonly code: 'amend.done.used'; readonly task: string; readonly by: string }
  | { readonly code: 'amend.merging'; readonly task: string };

export interface Amendment {
  readonly compiled: Compiled;
  /** Tasks of the old plan that have begun or ended and restart, with the cause. */
  readonly restarted: ReadonlyMap<TaskIndex, Because>;
  /** Tasks of the old plan that had not begun and have a new identity. */
  readonly changed: ReadonlyMap<TaskIndex, Because>;
  /** Subplans that had ended and open again, because a task inside them has to run. */
  readonly reopened: ReadonlySet<TaskIndex>;
  /** Tasks of the old plan that the new plan lacks. */
  readonly cancelled: readonly TaskIndex[];
  /** Tasks of the new plan that the old plan lacks. */
  readonly added: readonly TaskIndex[];
  /** Tasks that restart only because of other tasks, and whose earlier reason to end still holds. */
  readonly again: readonly { readonly task: TaskIndex; readonly why: Why }[];
  /** Running claims that cannot continue under the new plan. */
  readonly toStop: readonly Claim[];
  /** Reasons to refuse the amendment; empty when it is accepted. */
  readonly refused: readonly AmendRefusal[];
}

export function amendmentOf(state: State, compiled: Compiled): Amendment {
  const cancelled = state.compiled.tasks
    .filter(({ task }) => !compiled.indexOf.has(task.path))
    .map(({ index }) => index);
  const added = compiled.tasks.filter(({ task }) => !state.compiled.indexOf.has(task.path)).map(({ index }) => index);
  const redefined = redefinedIn(state, compiled);
  const back = restartsOf(state, { cancelled, redefined, reopened: regrouped(state, compiled, added) });
  const isUnbegun = (index: TaskIndex): boolean => isUntouched(state, index);
  const amendment = {
    compiled,
    restarted: only(back.restarted, (index) => !isUnbegun(index)),
    changed: only(back.restarted, isUnbegun),
    reopened: back.reopened,
    cancelled,
    added,
    again: endedAgain(state, back, { redefined, cancelled: new Set(cancelled) }),
  };
  const toStop = [...state.claims.values()].filter((claim) => isToStop(state, claim, amendment));
  return { ...amendment, toStop, refused: refusals(state, amendment, toStop) };
}

function only<Value>(
  map: ReadonlyMap<TaskIndex, Value>,
  isMeant: (index: TaskIndex) => boolean,
): ReadonlyMap<TaskIndex, Value> {
  return new Map([...map].filter(([index]) => isMeant(index)));
}

/** The task has neither begun nor ended. */
function isUntouched(state: State, index: TaskIndex): boolean {
  return factsOf(state, index).ended === undefined && countAt(state.play, taskAt(state, index).places.waiting) > 0;
}

function redefinedIn(state: State, compiled: Compiled): ReadonlyMap<TaskIndex, Because> {
  const redefined = new Map<TaskIndex, Because>();
  for (const before of state.compiled.tasks) {
    const after = taskOfPath(compiled, before.task.path);
    if (after === undefined) continue;
    const parts = differences(before.task, after.task);
    if (parts.length > 0) redefined.set(before.index, { type: 'redefined', parts });
    else if (isOpen(state, before) && !haveSameStages(before, after))
      redefined.set(before.index, { type: 'redefined', parts: ['stages'] });
  }
  return redefined;
}

/** An open task holds tokens inside; an empty subplan holds one in place of its tasks. */
function isOpen(state: State, { task, index }: CompiledTask): boolean {
  const { openedAt, ended } = factsOf(state, index);
  return openedAt !== undefined && (ended === undefined || task.type === 'subplan');
}

/** Subplans whose set of tasks changed. */
function regrouped(state: State, compiled: Compiled, added: readonly TaskIndex[]): readonly TaskIndex[] {
  return added.flatMap((index) => {
    const parent = compiled.tasks[compiled.tasks[index]?.parent ?? -1];
    return parent === undefined ? [] : (state.compiled.indexOf.get(parent.task.path) ?? []);
  });
}

/** A person, a race or another failure ended the task, and the reason still holds. */
function endedAgain(
  state: State,
  { restarted, reopened }: Restarts,
  { redefined, cancelled }: { redefined: ReadonlyMap<TaskIndex, Because>; cancelled: ReadonlySet<TaskIndex> },
): Amendment['again'] {
  const isUndone = (index: TaskIndex): boolean => restarted.has(index) || reopened.has(index) || cancelled.has(index);
  const isGoneBack = (path: string | undefined): boolean =>
    path !== undefined && isUndone(state.compiled.indexOf.get(path) ?? -1);
  return [...restarted.keys()].flatMap((task) => {
    const { ended, cancelling, openedAt } = factsOf(state, task);
    const why = ended ?? cancelling;
    const race = decidedRace(state, task);
    if (race !== undefined && !isUndone(race.by))
      return [{ task, why: { reason: 'race', cause: taskAt(state, race.by).task.path } }] as const;
    // A task on the losing branch of a race is skipped again by its needs.
    if (why?.reason === 'race' && ended?.ending === 'skipped') return [];
    if (why?.reason === undefined || redefined.has(task) || !isLasting(why) || isGoneBack(why.cause)) return [];
    return taskAt(state, task).task.type === 'subplan' && openedAt !== undefined
      ? []
      : [{ task, why: { reason: why.reason, cause: why.cause } }];
  });
}

type Draft = Omit<Amendment, 'toStop' | 'refused'>;

function isToStop(state: State, claim: Claim, { compiled, restarted, cancelled }: Draft): boolean {
  if (restarted.has(claim.task) || cancelled.includes(claim.task)) return true;
  const after = taskOfPath(compiled, taskAt(state, claim.task).task.path);
  if (after === undefined || isReassigned(after, claim)) return true;
  // It was given without a lease, so nothing would end it on a host that is cut off.
  return claim.host !== undefined && claim.leaseMs === undefined && endsCutOffIn(compiled, after, claim);
}

/** Whether the changed plan gives the step of the claim to other agents. */
export const isReassigned = (after: CompiledTask, claim: Claim): boolean =>
  claim.work === 'step' && variantOf(after, claim) === undefined;

function refusals(state: State, amendment: Draft, toStop: readonly Claim[]): readonly AmendRefusal[] {
  const { compiled, restarted, cancelled } = amendment;
  const pathOf = (index: TaskIndex): string => taskAt(state, index).task.path;
  const removed = cancelled
    .filter((index) => hasDoneWork(state, index))
    .map((index): AmendRefusal => ({ code: 'amend.done.removed', task: pathOf(index) }));
  const redefined: AmendRefusal[] = [];
  const used: AmendRefusal[] = [];
  for (const [index, because] of restarted) {
    if (!hasDoneWork(state, index)) continue;
    const task = pathOf(index);
    if (because.type === 'redefined') redefined.push({ code: 'amend.done.redefined', task, parts: because.parts });
    else used.push({ code: 'amend.done.used', task, by: pathOf(because.by) });
  }
  const first = [...removed, ...redefined];
  const merging = toStop
    .filter(({ work }) => work === 'merge')
    .map(({ task }): AmendRefusal => ({ code: 'amend.merging', task: pathOf(task) }));
  return [
    ...(state.amending === undefined ? [] : [{ code: 'amend.pending' } as const]),
    ...refusalsOfSettled(state.compiled.plan, compiled.plan),
    // Tasks in `used` restart mostly because of tasks in `first`; fixing those fixes these too.
    ...(first.length > 0 ? first : used),
    ...merging,
  ];
}

function hasDoneWork(state: State, index: TaskIndex): boolean {
  const { ended, openedAt }: TaskFacts = factsOf(state, index);
  return taskAt(state, index).task.type === 'work' && openedAt !== undefined && ended?.ending === 'done';
}

/** Changes to settings that are fixed when a run starts. */
function refusalsOfSettled(before: Plan, after: Plan): readonly AmendRefusal[] {
  const known = new Set(before.inputs.map(({ name }) => name));
  const names = after.inputs.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  const { tree, isolation } = before.sandbox;
  const refusals: AmendRefusal[] = [];
  if (before.base !== after.base) refusals.push({ code: 'amend.base', before: before.base, after: after.base });
  if (tree !== after.sandbox.tree) refusals.push({ code: 'amend.tree', before: tree });
  if (isolation !== after.sandbox.isolation) refusals.push({ code: 'amend.isolation', before: isolation });
  if (names.length > 0) refusals.push({ code: 'amend.inputs', names });
  return refusals;
}

/** The parts of an identity, each under its name in messages. */
type Parts = Readonly<Record<string, unknown>>;

/** The parts in which two tasks of one path differ, in words; none when they are the same task. */
function differences(before: Task, after: Task): readonly string[] {
  if (before.type !== after.type) return ['kind'];
  const old = partsOf(before);
  const parts = partsOf(after);
  const names = [...new Set([...Object.keys(old), ...Object.keys(parts)])];
  return names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(parts[name]));
}

function partsOf(task: Task): Parts {
  const { when, output, item } = task;
  const shared = { needs: needOf(task.needs), condition: when, output, item };
  switch (task.type) {
    case 'work':
      return {
        ...shared,
        [WORD_OF_FORM[task.form]]: task.steps.map(stepOf),
        loop: task.repeat,
        files: task.files,
        check: task.check,
        hold: task.hold,
      };
    case 'gate':
      return { ...shared, question: task.question };
    case 'join':
      return { ...shared, 'rule for errors': task.onError, 'rules for results': task.onResult };
    case 'subplan':
    case 'for_each':
      return shared;
  }
}

const WORD_OF_FORM = { prompt: 'prompt', run: 'command', steps: 'steps' } as const;

/** The order in which needs are written does not count. */
const needOf = (need: Need): unknown => ({ ...need, of: [...new Set(need.of)].sort() });

function stepOf(step: Step): unknown {
  const { id, type, async, needs, when, output, onResult, onError } = step;
  const text = step.type === 'prompt' ? step.prompt : step.type === 'run' ? step.run : undefined;
  const readOnly = isReadOnly(step) ? true : undefined;
  return { id, type, async, needs, when, output, onResult, onError, text, readOnly };
}

/** Whether tokens of one task fit the other: the same stages, and the same paths between its steps. */
function haveSameStages(before: CompiledTask, after: CompiledTask): boolean {
  return JSON.stringify(stagesOf(before)) === JSON.stringify(stagesOf(after));
}

function stagesOf({ places, steps }: CompiledTask): unknown {
  const { worked, checking, queued, merging, conflicted, resolving, asking } = places;
  const stages = [worked, checking, queued, merging, conflicted, resolving, asking].map((place) => place !== undefined);
  return [stages, steps.map(({ ready, asking: asks }) => [ready.length, asks !== undefined])];
}
