// What the outcomes of a task's check and of its merge mean.
//
// Z5. A check that failed, alone or after merging, sends the task back to its agent: one counter and one limit for both.
//     One that fails without the task's work as well sends nobody back.
// Z6. A conflict goes to the task's agent as often as the plan says, then to a person.
import type { CompiledTask } from '../../../compile/compiled.ts';
import type { Result } from '../../../protocol/result.ts';
import type { RunEvent } from '../../event.ts';
import { claimAt, ENDED_WELL, endedBy, factsOf, tokenAt } from '../../facts.ts';
import type { MergeOutcome } from '../../../protocol/work-outcome.ts';
import type { Outcome } from '../../outcome.ts';
import type { State } from '../../state.ts';

interface Settling<Type extends string> {
  readonly outcome: Extract<Outcome, { type: Type }>;
  readonly at: number;
}

export function settleCheck(
  state: State,
  task: CompiledTask | undefined,
  { outcome, at }: Settling<'check.finished' | 'check.stopped' | 'check.lost'>,
): RunEvent | undefined {
  const claim = claimAt(state, task?.places.checking);
  if (task === undefined || claim?.attempt !== outcome.attempt) return undefined;
  const about = { at, task: outcome.task };
  if (claim.condemned !== undefined)
    return { type: 'task.ended', ...about, ...endedBy(claim.condemned), result: undefined };
  switch (outcome.type) {
    case 'check.finished':
      return outcome.ok ? passCheck(task, at) : failCheck(state, task, { at, tail: outcome.tail });
    case 'check.stopped':
      return { type: 'check.returned', ...about, reason: 'cancelled', counted: false };
    case 'check.lost':
      return loseCheck(state, task, at);
  }
}

export function settleMerge(
  state: State,
  task: CompiledTask | undefined,
  { outcome, at }: Settling<MergeOutcome['type']>,
): RunEvent | undefined {
  const claim = claimAt(state, task?.places.merging);
  if (task === undefined || claim?.attempt !== outcome.attempt) return undefined;
  const about = { at, task: outcome.task };
  if (claim.condemned !== undefined && outcome.type !== 'merge.finished')
    return { type: 'task.ended', ...about, ...endedBy(claim.condemned), result: undefined };
  switch (outcome.type) {
    case 'merge.stopped':
      return undefined;
    case 'merge.finished':
      return { type: 'task.ended', ...about, ...ENDED_WELL, result: withCommit(state, task, outcome.commit) };
    case 'merge.failed':
      return failMerge(state, task, { outcome, at });
    case 'merge.conflict': {
      const { paths, with: others, onto } = outcome;
      return { type: 'task.conflicted', ...about, paths, with: others, onto, asks: !isForAgent(state, task) };
    }
    case 'merge.outrun':
      return { type: 'task.requeued', ...about };
  }
}

/** A check whose worker is gone is done again, but not for ever: it may be what ends its worker. */
function loseCheck(state: State, { task, index }: CompiledTask, at: number): RunEvent {
  const { path, settings } = task;
  if (factsOf(state, index).checksLost < settings.attemptsMax)
    return { type: 'check.returned', at, task: path, reason: 'crashed', counted: true };
  return { type: 'task.ended', at, task: path, ...CRASHED, result: undefined };
}

const CRASHED = { ending: 'failed', reason: 'crashed', cause: undefined } as const;
const UNCHECKED = { ending: 'failed', reason: 'check', cause: undefined, result: undefined } as const;

function passCheck({ task, transitions }: CompiledTask, at: number): RunEvent {
  if (transitions.pass !== undefined) return { type: 'check.passed', at, task: task.path };
  return { type: 'task.ended', at, task: task.path, ...ENDED_WELL, result: undefined };
}

/** A failed check sends the task back to its agent while attempts are left. */
function failCheck(
  state: State,
  { task, transitions, places }: CompiledTask,
  { at, tail }: { at: number; tail: string },
): RunEvent {
  const redo = tokenAt(state, places.checking).redo + 1;
  if (transitions.redo !== undefined && redo < task.settings.attemptsMax)
    return { type: 'check.failed', at, task: task.path, redo, tail };
  return { type: 'task.ended', at, task: task.path, ...UNCHECKED };
}

/** Why nobody is to blame. */
export const ON_THE_BASE = 'the check fails without its work as well';

function failMerge(
  state: State,
  { task, transitions, places }: CompiledTask,
  { outcome, at }: Settling<'merge.failed'>,
): RunEvent {
  const { reason, tail, isBaseline } = outcome;
  const about = { at, task: task.path };
  if (reason !== 'check') {
    const cause = tail === '' ? undefined : tail;
    return { type: 'task.ended', ...about, ending: 'failed', reason, cause, result: undefined };
  }
  if (isBaseline) return { type: 'task.ended', ...about, ...UNCHECKED, cause: ON_THE_BASE };
  const redo = tokenAt(state, places.merging).redo + 1;
  if (transitions.redoMerge !== undefined && redo < task.settings.attemptsMax)
    return { type: 'merge.failed', ...about, redo, tail };
  return { type: 'task.ended', ...about, ...UNCHECKED };
}

function isForAgent(state: State, { task, transitions, places }: CompiledTask): boolean {
  const { conflicts } = tokenAt(state, places.merging);
  return transitions.conflict !== undefined && conflicts < task.settings.merge.conflictAttemptsMax;
}

function withCommit(state: State, task: CompiledTask, commit: string | undefined): Result | undefined {
  const last = factsOf(state, task.index).steps.at(-1)?.result;
  return last === undefined || commit === undefined ? last : { ...last, commit };
}
