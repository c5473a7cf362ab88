// The memory of the progress stream: the stage of every task, from the events so far.
import { compile } from '../../compile/compile.ts';
import { taskOfPath, type Compiled } from '../../compile/compiled.ts';
import { taskNamed } from '../../engine/facts.ts';
import type { PlanAmended, PlanGrown, RunEvent } from '../../engine/event.ts';
import { growPlan } from '../../plan/grown-plan.ts';
import type { Stage } from '../../engine/events/event-fields.ts';
import { nameStage, type StageFacts } from './stage.ts';

export interface KnownTask {
  phase: StageFacts['phase'];
  claim: StageFacts['claim'];
  /** It has opened, and was not skipped. */
  isOpened: boolean;
  startedAt: number | undefined;
  /** When running claims were made: of a step by its id, else by the kind of work. */
  readonly claims: Map<string, number>;
  readonly runningSteps: Set<string>;
  readonly askingSteps: Set<string>;
}

export interface ProgressMemory {
  compiled: Compiled;
  readonly tasks: Map<string, KnownTask>;
  runStage: Stage;
  running: number;
  group: number;
}

export function stageIn(memory: ProgressMemory, path: string): Stage {
  const { phase, claim, runningSteps, askingSteps } = knownOf(memory, path);
  const { type } = taskNamed(memory.compiled, path).task;
  const standing = { type, phase, claim };
  return nameStage({ ...standing, hasRunningStep: runningSteps.size > 0, hasAskingStep: askingSteps.size > 0 });
}

/** The tasks that are rolled back wait again; the task of the event is open. */
export function forgetRolledBack(
  memory: ProgressMemory,
  { task, tasks }: Extract<RunEvent, { type: 'task.rolledBack' }>,
): void {
  const known = knownOf(memory, task);
  const { startedAt } = known;
  for (const each of tasks) reset(memory, each);
  Object.assign(known, { phase: 'open', isOpened: true, startedAt });
  if (memory.runStage === 'ended') memory.runStage = 'going';
}

/** A task that is reset waits again; a subplan that had opened is open again, and its tasks keep their stages. */
export function reset(memory: ProgressMemory, path: string): void {
  const known = knownOf(memory, path);
  const isReopened = known.isOpened && taskNamed(memory.compiled, path).task.type === 'subplan';
  if (isReopened) known.phase = 'open';
  else forget(memory, path);
}

/** The task waits again, and the subplans around it that had ended are open again. */
export function forget(memory: ProgressMemory, path: string): void {
  const { tasks } = memory.compiled;
  Object.assign(knownOf(memory, path), { phase: 'waiting', claim: undefined, isOpened: false, startedAt: undefined });
  for (const own of ['claims', 'runningSteps', 'askingSteps'] as const) knownOf(memory, path)[own].clear();
  const own = taskOfPath(memory.compiled, path);
  for (let around = tasks[own?.parent ?? -1]; around !== undefined; around = tasks[around.parent ?? -1]) {
    const known = knownOf(memory, around.task.path);
    if (known.phase !== 'waiting') known.phase = 'open';
  }
}

/** Kept tasks keep their stage; restarted and changed tasks wait; cancelled tasks are removed. */
export function followAmended(
  memory: ProgressMemory,
  { plan, restarted, changed, reopened, cancelled }: PlanAmended,
): void {
  memory.compiled = compile(plan);
  for (const path of cancelled) memory.tasks.delete(path);
  for (const path of [...restarted, ...changed]) forget(memory, path);
  for (const path of reopened) knownOf(memory, path).phase = 'open';
}

/** Every task keeps its stage; added tasks wait. */
export function followGrown(memory: ProgressMemory, { draft, fragment }: PlanGrown): void {
  memory.compiled = compile(growPlan(memory.compiled.plan, draft, fragment.tasks));
}

export function knownOf({ tasks }: ProgressMemory, path: string): KnownTask {
  const known = tasks.get(path);
  if (known !== undefined) return known;
  const fresh: KnownTask = {
    phase: 'waiting',
    claim: undefined,
    isOpened: false,
    startedAt: undefined,
    claims: new Map(),
    runningSteps: new Set(),
    askingSteps: new Set(),
  };
  tasks.set(path, fresh);
  return fresh;
}

export function claimed(memory: ProgressMemory): number {
  if (memory.running === 0) memory.group += 1;
  memory.running += 1;
  return memory.group;
}

export function over(memory: ProgressMemory): number {
  memory.running -= 1;
  return memory.group;
}
