// The events of a control command, one at a time. Nothing here checks whether the command is wise.
//
// control/J1. A command with nothing to do has no effect: it may arrive twice, or late.
// control/J2. A name that the plan lacks is ignored. A subplan means all tasks in it; no names mean the whole run.
import { isInside, type CompiledStep, type CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { ControlCommand } from '../command.ts';
import type { RunEvent, RetryText } from '../event.ts';
import { factsOf, taskAt } from '../facts.ts';
import type { Outcome } from '../outcome.ts';
import type { Claim, State } from '../state.ts';
import { resetForJoin } from '../decide/close-task.ts';
import { claimBackingOff } from '../decide/claim.ts';
import type { DecisionContext } from '../decide/next.ts';
import { cancelAgain, cancelTasks, preempt } from '../decide/cancel.ts';
import { retriable, retriableOfRun, skippable, type ResetSet } from '../reset-set.ts';

const COMMANDS: readonly string[] = [
  'pause',
  'resume',
  'stop',
  'cancel',
  'retry',
  'skip',
] satisfies ControlCommand['type'][];

export const isCommand = (outcome: Outcome): outcome is ControlCommand => COMMANDS.includes(outcome.type);

export function* controlRun(
  state: State,
  command: ControlCommand,
  { now: at }: DecisionContext,
): Generator<RunEvent, void> {
  const { tasks } = command;
  if (state.run.stage === 'new') return;
  const named = tasks.flatMap((path) => state.compiled.indexOf.get(path) ?? []);
  const isWholeRun = tasks.length === 0;
  switch (command.type) {
    case 'pause':
      return yield* isWholeRun ? pauseRun(state, at) : pauseTasks(state, named, at);
    case 'resume':
      return yield* isWholeRun ? resumeRun(state, at) : release(state, new Set(named), at);
    case 'stop':
      yield* isWholeRun ? pauseRun(state, at) : pauseTasks(state, named, at);
      return yield* preempt(state, claimsIn(state, isWholeRun ? rootsOf(state) : named), at);
    case 'cancel':
      return yield* cancelTasks(state, isWholeRun ? rootsOf(state) : named, { at, why: CANCELLED });
    case 'skip':
      yield* reset(state, skippable(state, named), at);
      return yield* cancelTasks(state, named, { at, why: SKIPPED });
    case 'retry':
      yield* retry(state, isWholeRun ? undefined : named, { at, text: command.text });
  }
}

const CANCELLED = { reason: 'cancelled', cause: undefined } as const;
const SKIPPED = { reason: 'skipped', cause: undefined } as const;

function* pauseRun({ run }: State, at: number): Generator<RunEvent, void> {
  if (run.stage === 'going') yield { type: 'run.paused', at };
}

function* resumeRun(state: State, at: number): Generator<RunEvent, void> {
  if (state.run.stage === 'paused') yield { type: 'run.resumed', at };
  if (state.run.stage !== 'ended') yield* release(state, new Set(rootsOf(state)), at);
}

function* pauseTasks(state: State, named: readonly TaskIndex[], at: number): Generator<RunEvent, void> {
  for (const index of named) {
    const isOver = factsOf(state, index).ended !== undefined;
    if (!isOver && !isInside(state.compiled, state.deferred.paused, index))
      yield { type: 'task.paused', at, task: taskAt(state, index).task.path };
  }
}

/** Releases the paused tasks among these tasks and all tasks inside them. */
function* release(state: State, these: ReadonlySet<TaskIndex>, at: number): Generator<RunEvent, void> {
  const held = [...state.deferred.paused].filter((index) => isInside(state.compiled, these, index));
  for (const index of held) yield { type: 'task.released', at, task: taskAt(state, index).task.path };
}

function claimsIn({ compiled, claims }: State, named: readonly TaskIndex[]): readonly Claim[] {
  const these = new Set(named);
  return [...claims.values()].filter(({ task }) => isInside(compiled, these, task));
}

interface Retrying {
  readonly at: number;
  /** What the person tells the agents. */
  readonly text: string | undefined;
}

/** `named` is undefined for the whole run. */
function* retry(
  state: State,
  named: readonly TaskIndex[] | undefined,
  { at, text }: Retrying,
): Generator<RunEvent, void> {
  const these = new Set(named ?? rootsOf(state));
  const resetSet = named === undefined ? retriableOfRun(state) : retriable(state, named);
  const pathOf = (index: TaskIndex): string => taskAt(state, index).task.path;
  const tasks = resetSet.tasks.filter((index) => isInside(state.compiled, these, index)).map(pathOf);
  yield* reset(state, resetSet, at, text === undefined ? undefined : { tasks, text });
  if (named !== undefined) yield* hurry(state, these, { at, text });
}

function* reset(state: State, { tasks, again }: ResetSet, at: number, told?: RetryText): Generator<RunEvent, void> {
  if (tasks.length === 0) return;
  const paths = tasks.map((index) => taskAt(state, index).task.path);
  yield told === undefined ? { type: 'task.reset', at, tasks: paths } : { type: 'task.reset', at, tasks: paths, told };
  yield* cancelAgain(state, again.toReversed(), at);
}

/** Claims steps that only back off between attempts, where tokens allow, and answers questions whether to retry. */
function* hurry(state: State, these: ReadonlySet<TaskIndex>, { at, text }: Retrying): Generator<RunEvent, void> {
  for (const task of state.compiled.tasks) {
    const { index, steps } = task;
    if (!isInside(state.compiled, these, index)) continue;
    const reset = isAskingJoin(state, task) ? resetForJoin(state, task, at) : undefined;
    if (reset !== undefined) yield reset;
    for (const step of steps) {
      const question = step.asking === undefined ? undefined : state.questions.get(step.asking);
      const about = { at, work: 'step', task: taskAt(state, index).task.path, step: step.step.id } as const;
      const event =
        question === undefined
          ? claimBackingOff(state, step, at)
          : ({
              type: 'claim.answered',
              ...about,
              attempt: question.attempt,
              ...TRY_AGAIN,
              ...saysTo(step, text),
            } as const);
      if (event !== undefined) yield event;
    }
  }
}

/** An agent goes on with the words of the person; a command and a join have no use for them. */
const saysTo = ({ step }: CompiledStep, text: string | undefined): { readonly says?: string } =>
  text === undefined || step.type !== 'prompt' ? {} : { says: text };

/** Whether a join asks a person about its result. */
export const isAskingJoin = ({ questions }: State, { task, places }: CompiledTask): boolean =>
  task.type === 'join' && places.asking !== undefined && questions.has(places.asking);

/** A person's answer that retries the step. */
export const TRY_AGAIN = { ending: undefined, reason: undefined, cause: undefined } as const;

const rootsOf = ({ compiled }: State): readonly TaskIndex[] =>
  compiled.tasks.flatMap(({ index, parent }) => (parent === undefined ? [index] : []));
