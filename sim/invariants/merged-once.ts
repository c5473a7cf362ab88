// P6: a task is done only when the merge queue has put its work on the run branch, once and whole; and what is there is done.
import { isDraft } from '../../src/core/plan/grown-plan.ts';
import { firstToMerge } from '../../src/core/engine/merge-order.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { Conflict } from '../../src/core/protocol/result.ts';
import { claimKey } from '../../src/core/protocol/assignment.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import type { Landed } from '../world/simulated-repository.ts';
import { mergesOf, setBackBy, type Invariant, type Sight } from './invariant.ts';

export const mergedOnce: Invariant = {
  name: 'P6 what is done is merged, once',
  watch: (sight, broken) => {
    const isMerging = sight.compiled.plan.sandbox.tree !== 'none';
    /** By task, how often its work conflicted in this life. */
    const conflicts = new Map<string, number>();
    /** By task, the latest commit that somebody made for it. */
    const tips: Tips = { made: new Map(), asked: new Map() };
    return {
      before: (event) => {
        noteConflict(sight, event, { conflicts, broken });
        noteTip(tips, event);
        checkReported(sight, event, broken);
        const isMade = event.type === 'claim.made' && event.work === 'merge';
        const made = isMade ? tips.made.get(event.task) : undefined;
        if (isMade) checkOrder(sight, event.task, broken);
        if (isMade && made !== undefined && event.tip !== made)
          broken(`${event.task} is merged as ${event.tip}, and ${made} was made last.`);
        if (isMerging && event.type === 'task.ended' && event.ending === 'done') checkMerged(sight, event, broken);
      },
      appended: () => {
        if (mergesOf(sight).size > 1) sight.counts.add('merged together');
      },
      acknowledged: (outcomes) => {
        const merges = mergesOf(sight);
        for (const outcome of outcomes)
          if (outcome.type === 'finished' && merges.has(claimKey(outcome)))
            broken(
              `${claimKey(outcome)} is merged, its host was told that this is heard, and the log does not know it.`,
            );
      },
      over: () => {
        sight.counts.add('merged', sight.repository.landed.length);
        for (const { task } of sight.repository.landed) {
          const ended = sight.state().tasks[sight.compiled.indexOf.get(task) ?? -1]?.ended;
          if (ended?.ending !== 'done') broken(`${task} is on the run branch and ended as ${ended?.ending}.`);
        }
        const names = sight.repository.landed.map(({ task }) => task);
        if (new Set(names).size < names.length) broken(`Something was merged twice: ${names.join(', ')}.`);
      },
    };
  },
};

/** The outcome of a merge that an event follows from. */
function reportedBy(event: RunEvent): WorkOutcome['type'] | undefined {
  if (!('work' in event) || event.work !== 'merge') return undefined;
  if (event.type === 'claim.returned') return event.reason === 'outrun' ? 'outrun' : 'stopped';
  if (conflictIn(event) !== undefined) return 'conflict';
  if (event.type !== 'claim.ended') return undefined;
  return event.ending === 'done' ? 'finished' : event.redo === undefined ? undefined : 'failed';
}

const conflictIn = (event: RunEvent): Conflict | undefined =>
  event.type === 'claim.ended' || event.type === 'claim.asked' ? event.conflict : undefined;

/** What the log says of a merge a merge queue has reported, and of this very attempt. */
function checkReported(sight: Sight, event: RunEvent, broken: (message: string) => never): void {
  const { compiled, repository, state } = sight;
  const outcome = reportedBy(event);
  if (outcome === undefined || !('task' in event)) return;
  const attempt = state().tasks[compiled.indexOf.get(event.task) ?? -1]?.merges ?? 0;
  const key = claimKey({ work: 'merge', task: event.task, step: undefined, attempt });
  if (!repository.reported.has(`${outcome} ${key}`))
    broken(`The log says ${event.type} of ${key}, and no merge queue has reported anything of the kind.`);
}

interface Tips {
  readonly made: Map<string, string>;
  /** By step, what a person is asked about and takes by approving it. */
  readonly asked: Map<string, string | undefined>;
}

function noteTip({ made, asked }: Tips, event: RunEvent): void {
  // What a task goes back to is older than what was made last; what it makes from there on counts.
  for (const task of setBackBy(event)) made.delete(task);
  if (event.type === 'task.resolved' && event.commit !== undefined) made.set(event.task, event.commit);
  if (event.type === 'claim.asked' && event.work === 'step')
    asked.set(`${event.task}/${event.step}`, event.result?.commit);
  const commit =
    event.type === 'claim.answered' && event.ending === 'done'
      ? asked.get(`${event.task}/${event.step}`)
      : commitIn(event);
  if (commit !== undefined && 'task' in event) made.set(event.task, commit);
}

const commitIn = (event: RunEvent): string | undefined =>
  event.type === 'claim.ended' && (event.work === 'step' || (event.work === 'resolve' && event.ending === 'done'))
    ? event.result?.commit
    : undefined;

function checkMerged(
  { compiled, repository, state }: Sight,
  event: Extract<RunEvent, { type: 'task.ended' }>,
  broken: (message: string) => never,
): void {
  const index = compiled.indexOf.get(event.task) ?? -1;
  const task = compiled.tasks[index]?.task;
  if (task?.type !== 'work') return;
  const found: Landed | undefined = repository.find(event.task);
  if (isDraft(task)) return found === undefined ? undefined : broken(`${event.task} is a draft, and was merged.`);
  if (found === undefined) return broken(`${event.task} is done, and its work is not on the run branch.`);
  if (found.tip !== state().tasks[index]?.tip)
    broken(`${event.task} is done, and ${found.tip} is on the run branch instead of ${state().tasks[index]?.tip}.`);
  if (event.result !== undefined && event.result.commit !== found.commit)
    broken(`${event.task} is done as ${event.result.commit}, and ${found.commit} is on the run branch.`);
}

/** By the plan, nothing is merged before what stands before it, unless nothing else can happen. */
function checkOrder({ compiled, state }: Sight, task: string, broken: (message: string) => never): void {
  const first = firstToMerge(state());
  if (first === undefined || first === compiled.indexOf.get(task) || state().claims.size === 0) return;
  broken(`${task} is merged before ${compiled.tasks[first]?.task.path}, which stands before it in the plan.`);
}

/** An agent has a conflict as often as the plan says, then a person. */
function noteConflict(
  { compiled }: Sight,
  event: RunEvent,
  { conflicts, broken }: { conflicts: Map<string, number>; broken: (message: string) => never },
): void {
  for (const task of setBackBy(event)) conflicts.delete(task);
  if (!('task' in event) || conflictIn(event) === undefined) return;
  const asks = event.type === 'claim.asked';
  const { task, resolver } = compiled.tasks[compiled.indexOf.get(event.task) ?? -1] ?? {};
  const before = conflicts.get(event.task) ?? 0;
  const attemptsMax = resolver === undefined ? 0 : (task?.settings.merge.conflictAttemptsMax ?? 0);
  if (asks !== before >= attemptsMax)
    broken(`The ${before + 1}th conflict of ${event.task} goes to ${asks ? 'a person' : 'its agent'}.`);
  conflicts.set(event.task, before + 1);
}
