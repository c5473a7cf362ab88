// Handles the commands to retry or skip tasks.

import { isInside } from '../../compile/compiled.ts';
import { endedBadly, opensInPlace, rejoinable, retriable, retriableOfRun, skippable } from '../reset-set.ts';
import { factsOf, tokenAt } from '../facts.ts';
import { isAskingJoin } from './control-run.ts';
import { doing, idle, isBeingEnded, pathOf } from './handled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { Obstacle, ResetSet } from '../reset-set.ts';
import type { State } from '../state.ts';
import type { Part } from './handled.ts';
import type { ObstacleNote } from './reply.ts';

export function retryRun(state: State): Part {
  const resetSet = retriableOfRun(state);
  const tasks = begunAnew(state, resetSet).map((index) => pathOf(state, index));
  if (tasks.length > 0) return doing({ code: 'tasks.reset', tasks });
  const [obstacle] = [...resetSet.refused].map(([index, each]) => obstacleNote(state, index, each));
  return idle(obstacle ?? { code: 'run.nothing-failed' });
}

export function retryTasks(state: State, named: readonly TaskIndex[]): readonly Part[] {
  const resetSet = retriable(state, named);
  return [...named.map((index) => retryOne(state, index, resetSet)), ...alsoReset(state, named, resetSet)];
}

export function skipTasks(state: State, named: readonly TaskIndex[]): readonly Part[] {
  const resetSet = skippable(state, named);
  return named.map((index) => skipOne(state, index, resetSet));
}

function retryOne(state: State, index: TaskIndex, resetSet: ResetSet): Part {
  const task = pathOf(state, index);
  const bad = endedBadly(state, index);
  if (isReset(bad, resetSet)) return doing({ code: 'task.reset', task });
  if (asks(state, index)) return doing({ code: 'task.retried', task });
  if (backsOff(state, index)) return doing({ code: 'task.backoff-skipped', task });
  const obstacle = firstObstacle(state, bad, resetSet);
  if (obstacle !== undefined) return idle(obstacle);
  const { ended, cancelling } = factsOf(state, index);
  if (ended !== undefined) return idle({ code: 'retry.ended-well', task, ending: ended.ending });
  return idle({ code: cancelling === undefined ? 'retry.not-failed' : 'retry.still-ending', task });
}

function skipOne(state: State, index: TaskIndex, resetSet: ResetSet): Part {
  const task = pathOf(state, index);
  const bad = endedBadly(state, index);
  if (isReset(bad, resetSet) || !isBeingEnded(state, index)) return doing({ code: 'task.skipped', task });
  const obstacle = firstObstacle(state, bad, resetSet);
  if (obstacle !== undefined) return idle(obstacle);
  const { ended } = factsOf(state, index);
  return idle(
    ended === undefined ? { code: 'task.ending.already', task } : { code: 'task.ended', task, ending: ended.ending },
  );
}

function isReset(bad: readonly TaskIndex[], { tasks }: ResetSet): boolean {
  const reset = new Set(tasks);
  return bad.some((each) => reset.has(each));
}

function firstObstacle(state: State, bad: readonly TaskIndex[], { refused }: ResetSet): ObstacleNote | undefined {
  for (const index of bad) {
    const obstacle = refused.get(index);
    if (obstacle !== undefined) return obstacleNote(state, index, obstacle);
  }
  return undefined;
}

export function obstacleNote(state: State, index: TaskIndex, obstacle: Obstacle): ObstacleNote {
  const task = pathOf(state, index);
  switch (obstacle.type) {
    case 'used':
      return { code: 'retry.used', task, by: pathOf(state, obstacle.by) };
    case 'raced':
      return { code: 'retry.raced', task, by: pathOf(state, obstacle.by) };
    case 'needs':
      return { code: 'retry.needs', task, by: obstacle.by };
  }
}

/** Tasks that are reset; a subplan that only opens again is not reset. */
function begunAnew(state: State, { tasks, again }: ResetSet): readonly TaskIndex[] {
  const endAgain = new Set(again.map(({ task }) => task));
  const members = new Set(tasks);
  return tasks.filter((index) => !endAgain.has(index) && !opensInPlace(state, members, index));
}

function alsoReset(state: State, named: readonly TaskIndex[], resetSet: ResetSet): readonly Part[] {
  const these = new Set(named);
  const others = begunAnew(state, resetSet).filter((index) => !isInside(state.compiled, these, index));
  const tasks = others.map((index) => pathOf(state, index));
  return tasks.length === 0 ? [] : [doing({ code: 'tasks.reset.also', tasks })];
}

const asks = (state: State, index: TaskIndex): boolean =>
  stepsIn(state, index).some(({ asking }) => asking !== undefined && state.questions.has(asking)) ||
  tasksIn(state, index).some((task) => isAskingJoin(state, task) && rejoinable(state, task).tasks.length > 0);

const backsOff = (state: State, index: TaskIndex): boolean =>
  stepsIn(state, index).some(({ ready }) => tokenAt(state, ready[0]).until > state.run.now);

const tasksIn = ({ compiled }: State, index: TaskIndex) =>
  compiled.tasks.filter((task) => isInside(compiled, new Set([index]), task.index));

const stepsIn = (state: State, index: TaskIndex) => tasksIn(state, index).flatMap(({ steps }) => steps);
