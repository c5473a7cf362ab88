// Decides the next event of a task whose steps are over, and of a subplan whose tasks are over.
import { isInside, type CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { Ended, Ending, RunEvent } from '../event.ts';
import { isDraft } from '../../plan/grown-plan.ts';
import type { Reason, Result } from '../../protocol/result.ts';
import { endedBy, factsOf, taskAt, tokenAt } from '../facts.ts';
import type { ConditionValue, Evaluator } from '../evaluator.ts';
import { rejoinable } from '../reset-set.ts';
import type { State } from '../state.ts';
import type { JoinTask } from '../../plan/plan.ts';

/** Characters of the feedback of one round. */
const FEEDBACK_MAX = 20_000;

const failed = (reason: Reason, cause: string | undefined): Ended => ({ ending: 'failed', reason, cause });

const DONE: Ended = { ending: 'done', reason: undefined, cause: undefined };
const SKIPPED: Ended = { ending: 'skipped', reason: 'skipped', cause: undefined };

/** An event, or undefined when the task is to be checked as soon as a slot is free. */
export function leaveWorked(
  state: State,
  task: CompiledTask,
  { evaluator, at }: { evaluator: Evaluator; at: number },
): RunEvent | undefined {
  const about = { at, task: task.task.path };
  const { cancelling, failing } = factsOf(state, task.index);
  if (cancelling !== undefined) return { type: 'task.ended', ...about, ...endedBy(cancelling), result: undefined };
  if (task.task.type === 'join') return leaveJoin(state, task, { join: task.task, evaluator, at });
  const repeated = repeatAnswer(state, task, evaluator);
  if (repeated === 'again') {
    const feedback = evaluator.feedback(state, task);
    if (feedback?.type !== 'failed') {
      const round = tokenAt(state, task.places.worked).round + 1;
      return { type: 'task.repeated', ...about, round, says: feedback?.text.slice(0, FEEDBACK_MAX) };
    }
    // A step that failed may have left nothing to tell; then the task fails like the step.
    if (failing === undefined)
      return { type: 'task.ended', ...about, ...failed('expression', feedback.message), result: undefined };
  }
  if (failing !== undefined) {
    const { reason, cause } = failing;
    return { type: 'task.ended', ...about, ending: 'failed', reason, cause, result: undefined };
  }
  if (repeated !== 'enough' && repeated !== 'again')
    return { type: 'task.ended', ...about, ...repeated, result: undefined };
  if (isDraft(task.task)) return leaveDraft(state, task, { evaluator, at });
  if (task.transitions.check !== undefined) return undefined;
  if (task.transitions.queue !== undefined) return { type: 'task.queued', ...about };
  return { type: 'task.ended', ...about, ...DONE, result: undefined };
}

/** The fragment was accepted when its step ended; meanwhile the plan may have been amended, so it is judged again. */
function leaveDraft(
  state: State,
  task: CompiledTask,
  { evaluator, at }: { readonly evaluator: Evaluator; readonly at: number },
): RunEvent | undefined {
  const { steps, hasGrown } = factsOf(state, task.index);
  const draft = task.task.path;
  const ended = { type: 'task.ended', at, task: draft, result: undefined } as const;
  if (hasGrown) return { ...ended, ...DONE };
  // The plan that the fragment has to fit is about to be another one.
  if (state.amending !== undefined) return undefined;
  const judged = evaluator.judge(state, task, steps.at(-1)?.result?.response ?? '');
  switch (judged.type) {
    case 'accepted':
      return { type: 'plan.grown', at, draft, fragment: judged.fragment, priorities: judged.priorities };
    case 'refused':
      return { ...ended, ending: 'failed', reason: 'refused', cause: judged.cause };
    case 'nothing':
      return { ...ended, ...DONE };
    case 'later':
      return undefined;
  }
}

/** A join is decided by its result and the rules of `on_result`, like a step. */
function leaveJoin(
  state: State,
  task: CompiledTask,
  { join, evaluator, at }: { readonly join: JoinTask; readonly evaluator: Evaluator; readonly at: number },
): RunEvent {
  const about = { at, task: join.path };
  const result = evaluator.joinTask(state, task);
  const ruling = evaluator.ruleForJoin(state, task, result);
  const ended = { type: 'task.ended', ...about, result } as const;
  if (ruling.type === 'failed') return { ...ended, ending: 'failed', reason: 'expression', cause: ruling.message };
  switch (ruling.rule ?? (result.ok ? 'continue' : undefined)) {
    case 'continue':
      return { ...ended, ...DONE };
    case 'gate':
      return { type: 'task.gated', ...about, result };
    case 'retry': {
      const hasAttempts = factsOf(state, task.index).rejoined + 1 < join.settings.attemptsMax;
      const reset = hasAttempts ? resetForJoin(state, task, at) : undefined;
      return reset ?? { ...ended, ending: 'failed', reason: 'failed', cause: `on_result says retry: ${ruling.when}` };
    }
    case 'abort':
      return { ...ended, ending: 'failed', reason: 'failed', cause: `on_result says abort: ${ruling.when}` };
    case undefined:
      return { ...ended, ...misshapen(result) };
  }
}

/** Undefined when no failed need can run again. */
export function resetForJoin(state: State, join: CompiledTask, at: number): RunEvent | undefined {
  const { tasks, again } = rejoinable(state, join);
  if (tasks.length === 0) return undefined;
  const pathOf = (index: TaskIndex): string => taskAt(state, index).task.path;
  return {
    type: 'task.reset',
    at,
    tasks: tasks.map(pathOf),
    join: join.task.path,
    again: again.map(({ task, why }) => ({ task: pathOf(task), ...why })),
  };
}

const misshapen = ({ response }: Result): Ended => ({ ending: 'failed', reason: 'output', cause: response });

/** A loop is the retry of its steps: a failed step starts another round of the task while rounds are left. */
function repeatAnswer(state: State, task: CompiledTask, evaluator: Evaluator): 'again' | 'enough' | Ended {
  const repeat = task.task.type === 'work' ? task.task.repeat : undefined;
  const { failing, conflict } = factsOf(state, task.index);
  // A resolved conflict comes after the last round; the rounds are not repeated for it.
  if (repeat === undefined || conflict?.isResolved === true) return 'enough';
  // Another round would run out of budget again.
  if (failing?.reason === 'cost') return 'enough';
  const answer: ConditionValue = evaluator.isRepeated(state, task);
  if (answer.type === 'yes') return 'enough';
  // A condition over a step that did not run, because an earlier step failed, cannot be evaluated, so it is not met.
  if (answer.type === 'failed' && failing === undefined)
    return { ending: 'failed', reason: 'expression', cause: answer.message };
  const roundsLeft = repeat.roundsMax - 1 - tokenAt(state, task.places.worked).round;
  if (roundsLeft > 0) return 'again';
  return failed(
    'failed',
    repeat.feedback === undefined ? undefined : `not after ${repeat.roundsMax} rounds: ${repeat.until}`,
  );
}

/** A subplan ends with the worst ending of its tasks; skipped tasks do not count. */
export function finishSubplan(state: State, task: CompiledTask, at: number): RunEvent {
  const about = { type: 'task.ended', at, task: task.task.path, result: undefined } as const;
  const { dropped } = factsOf(state, task.index);
  if (dropped !== undefined) return { ...about, ...dropped };
  for (const ending of ['failed', 'cancelled'] satisfies Ending[]) {
    const worst = firstToEnd(
      state,
      task.children.filter((child) => counts(state, task, { child, ending })),
    );
    const ended = worst === undefined ? undefined : factsOf(state, worst).ended;
    if (worst !== undefined && ended !== undefined) return { ...about, ...ended, cause: causeOf(state, worst, ended) };
  }
  return { ...about, ...(isAllSkipped(state, task) ? SKIPPED : DONE) };
}

function firstToEnd(state: State, tasks: readonly number[]): number | undefined {
  const when = (task: number): number => factsOf(state, task).endingEvent;
  return tasks.toSorted((one, other) => when(one) - when(other))[0];
}

/** A task that was ended because of another task is not itself the cause. */
const causeOf = (state: State, task: number, { ending, cause }: Ended): string =>
  (ending === 'cancelled' ? cause : undefined) ?? taskAt(state, task).task.path;

/** A subplan is skipped when a person skipped every task in it. */
function isAllSkipped(state: State, { children }: CompiledTask): boolean {
  return children.length > 0 && children.every((child) => factsOf(state, child).ended?.reason === 'skipped');
}

/** Losing a race is part of the plan, so it does not make a subplan fail, unless the subplan itself lost. */
function counts(state: State, subplan: CompiledTask, { child, ending }: { child: number; ending: Ending }): boolean {
  const { ended } = factsOf(state, child);
  if (ended?.ending !== ending || isLoserOf(state, subplan, child)) return false;
  const race = ended.reason === 'race' ? state.compiled.indexOf.get(ended.cause ?? '') : undefined;
  return race === undefined || isRacerIn(state, subplan, race);
}

/** Whether the child ran in a race that another task won, and the subplan did not run in it as a whole. */
function isLoserOf(state: State, subplan: CompiledTask, child: number): boolean {
  return taskAt(state, child).dependents.some((dependent) => {
    const isWon = factsOf(state, dependent).openedAt !== undefined;
    const isRace = taskAt(state, dependent).task.needs.type === 'race';
    return isRace && isWon && !isRacerIn(state, subplan, dependent);
  });
}

/** Whether the subplan, or one around it, ran in this race itself. */
const isRacerIn = ({ compiled }: State, { index }: CompiledTask, race: TaskIndex): boolean =>
  isInside(compiled, new Set(compiled.tasks[race]?.needs), index);
