// Whether a task opens, now that tokens have come to its door.
import type { CompiledTask } from '../../compile/compiled.ts';
import { tokensAt } from '../../net/play.ts';
import type { Ended, RunEvent } from '../event.ts';
import { factsOf, taskAt, tokenAt } from '../facts.ts';
import type { Judge } from '../judge/judge.ts';
import type { State } from '../state.ts';
import { satisfies } from '../token.ts';

/** An event, or undefined while too few needs have ended well and too many may yet. */
export function openOrDrop(
  state: State,
  task: CompiledTask,
  { judge, at }: { judge: Judge; at: number },
): RunEvent | undefined {
  const about = { at, task: task.task.path };
  const arrivals = judgeNeeds(state, task);
  if (arrivals === 'wait') return undefined;
  const reason = whyDropped(state, task) ?? (arrivals === 'met' ? undefined : arrivals);
  if (reason !== undefined) return { type: 'task.dropped', ...about, ...reason };
  const answer = judge.opens(state, task);
  switch (answer.type) {
    case 'yes':
      return { type: 'task.opened', ...about };
    case 'no':
      return { type: 'task.dropped', ...about, ending: 'skipped', reason: 'condition', cause: undefined };
    case 'failed':
      return { type: 'task.dropped', ...about, ending: 'failed', reason: 'expression', cause: answer.message };
  }
}

/** A condemned task, and one whose subplan was dropped, goes the same way whatever its needs say. */
function whyDropped(state: State, task: CompiledTask): Ended | undefined {
  const { condemned } = factsOf(state, task.index);
  if (condemned !== undefined) return { ending: 'cancelled', ...condemned };
  const parent = task.parent === undefined ? undefined : factsOf(state, task.parent);
  return parent?.dropped;
}

function judgeNeeds(state: State, task: CompiledTask): 'met' | 'wait' | Ended {
  const { arrived } = task.places;
  const cancelled = (): Ended => ({ ending: 'cancelled', reason: 'need', cause: firstUnmet(state, task) });
  if (arrived === undefined) {
    const unmet = task.places.edges.some((place) => !satisfies(tokenAt(state, place).ending));
    if (!unmet) return 'met';
    if (task.task.type !== 'join') return cancelled();
    return task.task.onError === 'wait_for_all' ? 'met' : { ...cancelled(), ending: 'failed' };
  }
  const tokens = tokensAt(state.play, arrived);
  const met = tokens.filter(({ ending }) => satisfies(ending)).length;
  if (met >= task.needed) return 'met';
  const unmet = tokens.length - met;
  return unmet > task.needs.length - task.needed ? cancelled() : 'wait';
}

function firstUnmet(state: State, { needs }: CompiledTask): string | undefined {
  const index = needs.find((need) => {
    const { ended } = factsOf(state, need);
    return ended !== undefined && !satisfies(ended.ending);
  });
  return index === undefined ? undefined : taskAt(state, index).task.path;
}
