// Whether a task opens, now that tokens have come to its door.
import type { CompiledTask } from '../../compile/compiled.ts';
import { tokensAt } from '../../net/play.ts';
import type { Ended, RunEvent } from '../event.ts';
import { endedBy, factsOf, taskAt, tokenAt } from '../facts.ts';
import type { Evaluator } from '../expressions/evaluator.ts';
import type { State } from '../state.ts';
import { satisfies } from '../token.ts';

/** An event, or undefined while too few needs have ended well and too many may yet. */
export function openOrDrop(
  state: State,
  task: CompiledTask,
  { evaluator, at }: { evaluator: Evaluator; at: number },
): RunEvent | undefined {
  const about = { at, task: task.task.path };
  const arrivals = whyDropped(state, task) ?? judgeNeeds(state, task);
  if (arrivals === 'wait') return undefined;
  if (arrivals !== 'met') return { type: 'task.skipped', ...about, ...arrivals };
  const answer = evaluator.opens(state, task);
  switch (answer.type) {
    case 'yes':
      return { type: 'task.opened', ...about };
    case 'no':
      return { type: 'task.skipped', ...about, ending: 'skipped', reason: 'condition', cause: undefined };
    case 'failed':
      return { type: 'task.skipped', ...about, ending: 'failed', reason: 'expression', cause: answer.message };
  }
}

/** A task that is being cancelled, and one whose subplan was skipped, goes the same way whatever its needs say. */
function whyDropped(state: State, task: CompiledTask): Ended | undefined {
  const { cancelling } = factsOf(state, task.index);
  if (cancelling !== undefined) return endedBy(cancelling);
  const parent = task.parent === undefined ? undefined : factsOf(state, task.parent);
  return parent?.dropped;
}

function judgeNeeds(state: State, task: CompiledTask): 'met' | 'wait' | Ended {
  const { arrived, edges } = task.places;
  const endings = (
    arrived === undefined ? edges.map((place) => tokenAt(state, place)) : tokensAt(state.play, arrived)
  ).map(({ ending }) => ending);
  const haveAllArrived = endings.length === task.needs.length;
  const unmet = endings.filter((ending) => !satisfies(ending)).length;
  if (unmet > task.needs.length - task.needed) return judgeUnmet(state, task, haveAllArrived);
  // Skipped ones satisfy when nothing better can come: a race is not won by doing nothing.
  const done = endings.filter((ending) => ending === 'done').length;
  return done >= task.needed || haveAllArrived ? 'met' : 'wait';
}

function judgeUnmet(state: State, { task, needs }: CompiledTask, haveAllArrived: boolean): 'met' | 'wait' | Ended {
  const cause = firstUnmet(state, needs);
  if (task.type !== 'join') return { ending: 'cancelled', reason: 'need', cause };
  if (task.onError === 'fail_fast') return { ending: 'failed', reason: 'need', cause };
  return haveAllArrived ? 'met' : 'wait';
}

function firstUnmet(state: State, needs: CompiledTask['needs']): string | undefined {
  const index = needs.find((need) => {
    const { ended } = factsOf(state, need);
    return ended !== undefined && !satisfies(ended.ending);
  });
  return index === undefined ? undefined : taskAt(state, index).task.path;
}
