// Why a task is not done: its running claims, the tokens it waits for and their holders, and the tasks that must end
// first, down to the claims that run now.
//
// W1. Everything is read from the marking and the facts, so the explanation also holds for a run without a coordinator.
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import { factsOf, taskAt } from '../../engine/facts.ts';
import { firstToMerge } from '../../engine/merge-order.ts';
import type { State } from '../../engine/state.ts';
import { satisfies } from '../../engine/token.ts';
import { countAt } from '../../net/play.ts';
import type { ExpectedTask } from '../../simulate/simulate-on.ts';
import { openQuestion } from './open-question.ts';
import type { Stage } from '../../engine/events/event-fields.ts';
import { stageOf, stateOf, type TaskState } from './stage.ts';
import { failureOf, type FailureStatus } from './run-status.ts';
import { holdWait, resolveWaits, stepWaits, tokenWaits } from './claim-waits.ts';
import {
  awaited,
  holderOf,
  nameOfStep,
  type Awaited,
  type Explaining,
  type TokenHolder,
  type ExplainContext,
  type Wait,
} from './wait.ts';

export interface Explanation {
  readonly task: string;
  readonly run: State['run']['stage'];
  readonly state: TaskState;
  readonly stage: Stage;
  readonly ended: CompiledEnd | undefined;
  /** Of a failed task other than a subplan. */
  readonly failure: FailureStatus | undefined;
  readonly running: readonly TokenHolder[];
  readonly waits: readonly Wait[];
  /** All tasks that must end first, direct needs before indirect ones. */
  readonly behind: readonly Awaited[];
  /** The number of further such tasks. */
  readonly behindMore: number;
  readonly expected: ExpectedTask | undefined;
}

type CompiledEnd = NonNullable<State['tasks'][number]['ended']>;

const BEHIND_MAX = 200;

export function explainTask(state: State, task: CompiledTask, explaining: Explaining): Explanation {
  const context: ExplainContext = { ...explaining, state };
  const stage = stageOf(state, task);
  const { ended } = factsOf(state, task.index);
  const behind = ended === undefined ? tasksBehind(state, task) : [];
  return {
    task: task.task.path,
    run: state.run.stage,
    state: stateOf(state, task, stage),
    stage,
    ended,
    failure: ended?.ending === 'failed' && task.task.type !== 'subplan' ? failureOf(state, task) : undefined,
    running: [...state.claims.values()]
      .filter((claim) => claim.task === task.index)
      .map((claim) => holderOf(context, claim, 0)),
    waits: waitsOfTask(state, task, explaining),
    behind: behind.slice(0, BEHIND_MAX).map((each) => awaited(context, each)),
    behindMore: Math.max(0, behind.length - BEHIND_MAX),
    expected: explaining.expected?.tasks.get(task.task.path),
  };
}

/** The waits alone, for lists of many tasks. */
export function waitsOfTask(state: State, task: CompiledTask, explaining: Explaining): readonly Wait[] {
  const context: ExplainContext = { ...explaining, state };
  const isOver = factsOf(state, task.index).ended !== undefined;
  return isOver ? [] : [...pausedWaits(context, task), ...waitsOf(context, task, stageOf(state, task))];
}

function pausedWaits({ state }: ExplainContext, { task, index }: CompiledTask): readonly Wait[] {
  for (let at: number | undefined = index; at !== undefined; at = taskAt(state, at).parent)
    if (state.deferred.paused.has(at))
      return [{ type: 'task-paused', who: task.path, task: taskAt(state, at).task.path }];
  return [];
}

function waitsOf(context: ExplainContext, task: CompiledTask, stage: Stage): readonly Wait[] {
  const { state, given } = context;
  const who = task.task.path;
  if (stage === 'waiting') return doorWaits(context, task);
  if (stage === 'open') return [{ type: 'inside', who, of: unended(context, task.children) }];
  if (stage === 'queued') return queueWaits(context, task);
  const asked = task.places.asking === undefined ? undefined : state.questions.get(task.places.asking);
  if (asked !== undefined) return [{ type: 'answer', who, question: openQuestion(state, asked, given) }];
  if (stage === 'conflicted') return resolveWaits(context, task);
  const isWorked = task.places.worked !== undefined && countAt(state.play, task.places.worked) > 0;
  if (isWorked && task.transitions.check !== undefined) return claimable(context, task.transitions.check, who);
  return task.steps.flatMap((step) => waitsOfStep(context, step));
}

function queueWaits(context: ExplainContext, { index, task, transitions }: CompiledTask): readonly Wait[] {
  const first = firstToMerge(context.state);
  if (first !== undefined && first !== index)
    return [{ type: 'precedence', who: task.path, why: 'merge-order', of: [taskAt(context.state, first).task.path] }];
  return transitions.merge === undefined ? [] : claimable(context, transitions.merge, task.path);
}

function claimable(context: ExplainContext, claim: number, who: string): readonly Wait[] {
  const waits = tokenWaits(context, claim, who);
  return waits.length === 0 ? [{ type: 'nothing', who }] : waits;
}

/**
 * The waits of a task that has not opened: its own needs, and those of unopened subplans around it, innermost first.
 */
function doorWaits(context: ExplainContext, task: CompiledTask): readonly Wait[] {
  const { state } = context;
  const who = task.task.path;
  const waits: Wait[] = [];
  const left = task.needs.filter((need) => factsOf(state, need).ended === undefined);
  const bad = task.needs.filter((need) => !satisfies(factsOf(state, need).ended?.ending ?? 'done'));
  const good = task.needs.length - left.length - bad.length;
  const needed = Math.min(left.length, Math.max(0, task.needed - good));
  const isPatient = task.task.type === 'join' && task.task.onError === 'wait_for_all';
  const isLost = bad.length > task.needs.length - task.needed && !isPatient;
  const names = bad.map((need) => taskAt(state, need).task.path);
  if (left.length > 0) waits.push({ type: 'needs', who, needed, of: unended(context, left), bad: names, isLost });
  const around = task.parent === undefined ? undefined : taskAt(state, task.parent);
  if (around !== undefined && countAt(state.play, around.places.waiting) > 0)
    waits.push({ type: 'subplan', who, task: around.task.path }, ...doorWaits(context, around));
  const deferral = state.deferred.deferrals.get(task.transitions.open);
  if (deferral?.by === 'hold') waits.push(holdWait(state, who, deferral));
  return waits.length === 0 ? [{ type: 'nothing', who }] : waits;
}

const unended = (context: ExplainContext, tasks: readonly number[]): readonly Awaited[] =>
  tasks.flatMap((index) =>
    factsOf(context.state, index).ended === undefined ? [awaited(context, taskAt(context.state, index))] : [],
  );

function waitsOfStep(context: ExplainContext, step: CompiledStep): readonly Wait[] {
  const { state, given } = context;
  const holds = (place: number | undefined): boolean => place !== undefined && countAt(state.play, place) > 0;
  const who = nameOfStep(state, step.task, step.index);
  const asked = step.asking === undefined ? undefined : state.questions.get(step.asking);
  if (asked !== undefined) return [{ type: 'answer', who, question: openQuestion(state, asked, given) }];
  if (!holds(step.ready[0])) return [];
  const missing = step.needs.filter((_, at) => !holds(step.ready[at + 1]));
  if (missing.length === 0) return stepWaits(context, step);
  return [{ type: 'steps', who, of: missing.map((each) => nameOfStep(state, step.task, each)) }];
}

/** Nearest first, each once, without ended tasks and without the task itself. */
function tasksBehind(state: State, task: CompiledTask): readonly CompiledTask[] {
  const found = new Set<number>([task.index]);
  const queue = [task.index];
  for (const index of queue) {
    for (const next of directlyBefore(state, taskAt(state, index))) {
      if (found.has(next) || factsOf(state, next).ended !== undefined) continue;
      found.add(next);
      queue.push(next);
    }
  }
  return queue.slice(1).map((index) => taskAt(state, index));
}

/**
 * The direct waits of a task: before it opens, its needs and those of an unopened subplan; afterwards, its children.
 */
function directlyBefore(state: State, task: CompiledTask): readonly number[] {
  const before = [...task.children];
  for (let at: CompiledTask | undefined = task; at !== undefined && isWaiting(state, at); at = parentOf(state, at))
    before.push(...at.needs);
  return before;
}

const isWaiting = ({ play }: State, { places }: CompiledTask): boolean => countAt(play, places.waiting) > 0;

const parentOf = (state: State, { parent }: CompiledTask): CompiledTask | undefined =>
  parent === undefined ? undefined : taskAt(state, parent);
