// Whether a task opens, once tokens of its needs have arrived.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import { tokensAt } from '../../net/play.ts';
import type { Ended, RunEvent } from '../event.ts';
import { endedBy, factsOf, taskAt, tokenAt } from '../facts.ts';
import type { Evaluator } from '../evaluator.ts';
import type { State } from '../state.ts';
import { satisfies } from '../token.ts';

/** An event, or undefined while the needs that have ended do not decide it. */
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
    case 'no item':
      return { type: 'task.skipped', ...about, ending: 'skipped', reason: 'no_item', cause: undefined };
    case 'failed':
      return { type: 'task.skipped', ...about, ending: 'failed', reason: 'expression', cause: answer.message };
  }
}

/** A task that is being cancelled, or whose subplan was skipped, is dropped whatever its needs. */
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
  // Skipped needs count only when no better ending can come: a race is not won by doing nothing.
  const done = endings.filter((ending) => ending === 'done').length;
  if (done >= task.needed) return 'met';
  if (!haveAllArrived) return 'wait';
  return (done === 0 ? roadNotTaken(state, task.needs) : undefined) ?? 'met';
}

/** A task reached only through the losers of a race is skipped, and like them fails no other task. */
function roadNotTaken(state: State, needs: CompiledTask['needs']): Ended | undefined {
  const lost = needs.map((need) => factsOf(state, need).ended).find((ended) => ended?.reason === 'race');
  return lost === undefined ? undefined : { ending: 'skipped', reason: 'race', cause: lost.cause };
}

function judgeUnmet(state: State, { task, needs }: CompiledTask, haveAllArrived: boolean): 'met' | 'wait' | Ended {
  const unmet = needs.filter((need) => isUnmet(state, need));
  const isCollecting = task.type === 'join' && task.onError === 'wait_for_all';
  const hasLost = unmet.every((need) => factsOf(state, need).ended?.reason === 'race');
  const skipped = hasLost && !isCollecting ? roadNotTaken(state, unmet) : undefined;
  if (skipped !== undefined) return skipped;
  const [first] = unmet;
  const cause = first === undefined ? undefined : taskAt(state, first).task.path;
  if (task.type !== 'join') return { ending: 'cancelled', reason: 'need', cause };
  if (task.onError === 'fail_fast') return { ending: 'failed', reason: 'need', cause };
  return haveAllArrived ? 'met' : 'wait';
}

function isUnmet(state: State, need: TaskIndex): boolean {
  const { ended } = factsOf(state, need);
  return ended !== undefined && !satisfies(ended.ending);
}
