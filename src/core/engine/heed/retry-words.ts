// What running tasks again, or skipping them, does, in words.
import { isInside } from '../../compile/inside.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import { endedBadly, retriable, retriableOfRun, skippable, type Obstacle, type Revival } from '../decide/revival.ts';
import { factsOf, taskAt, tokenAt } from '../facts.ts';
import type { State } from '../state.ts';
import { doing, idle, isBeingEnded, type Clause } from './clause.ts';
import { listed } from './listed.ts';

export function retryOfRun(state: State): Clause {
  const revival = retriableOfRun(state);
  const paths = begunAnew(state, revival).map((index) => pathOf(state, index));
  if (paths.length > 0) return doing(`${listed(paths)} ${paths.length === 1 ? 'runs' : 'run'} again`);
  const [refused] = [...revival.refused].map(([index, obstacle]) => refusal(state, index, obstacle));
  return idle(refused ?? 'Nothing has failed or was cancelled');
}

export function retryOf(state: State, named: readonly TaskIndex[]): readonly Clause[] {
  const revival = retriable(state, named);
  return [...named.map((index) => retryOne(state, index, revival)), ...alsoRevived(state, named, revival)];
}

export function skipOf(state: State, named: readonly TaskIndex[]): readonly Clause[] {
  const revival = skippable(state, named);
  return named.map((index) => skipOne(state, index, revival));
}

const pathOf = (state: State, index: TaskIndex): string => taskAt(state, index).task.path;

function retryOne(state: State, index: TaskIndex, revival: Revival): Clause {
  const path = pathOf(state, index);
  const bad = endedBadly(state, index);
  if (isRevived(bad, revival)) return doing(`${path} runs again`);
  if (asks(state, index)) return doing(`${path} is tried again`);
  if (rests(state, index)) return doing(`${path} does not rest any longer`);
  const refused = firstRefusal(state, bad, revival);
  if (refused !== undefined) return idle(refused);
  const { ended, condemned } = factsOf(state, index);
  if (ended !== undefined) return idle(`${path} is ${ended.ending}; only what failed or was cancelled runs again`);
  return idle(condemned === undefined ? `${path} has not failed` : `${path} is still being ended; retry it after that`);
}

function skipOne(state: State, index: TaskIndex, revival: Revival): Clause {
  const path = pathOf(state, index);
  const bad = endedBadly(state, index);
  if (isRevived(bad, revival) || !isBeingEnded(state, index)) return doing(`${path} is skipped`);
  const refused = firstRefusal(state, bad, revival);
  if (refused !== undefined) return idle(refused);
  const { ended } = factsOf(state, index);
  return idle(ended === undefined ? `${path} is being ended already` : `${path} has ended (${ended.ending})`);
}

function isRevived(bad: readonly TaskIndex[], { tasks }: Revival): boolean {
  const revived = new Set(tasks);
  return bad.some((each) => revived.has(each));
}

function firstRefusal(state: State, bad: readonly TaskIndex[], { refused }: Revival): string | undefined {
  for (const index of bad) {
    const obstacle = refused.get(index);
    if (obstacle !== undefined) return refusal(state, index, obstacle);
  }
  return undefined;
}

export function refusal(state: State, index: TaskIndex, obstacle: Obstacle): string {
  const path = pathOf(state, index);
  switch (obstacle.type) {
    case 'used':
      return `${path} cannot run again: ${pathOf(state, obstacle.by)} has gone on without it`;
    case 'raced':
      return `${path} cannot run again: the race for ${pathOf(state, obstacle.by)} is decided`;
    case 'needs':
      return `${path} was never begun, because of ${obstacle.by}; retry that`;
  }
}

/** Those that go back to their beginning; a subplan that is only opened again is not one of them. */
function begunAnew(state: State, { tasks, again }: Revival): readonly TaskIndex[] {
  const endAgain = new Set(again.map(({ task }) => task));
  const isReopened = (index: TaskIndex): boolean =>
    taskAt(state, index).task.type === 'subplan' && factsOf(state, index).openedAt !== undefined;
  return tasks.filter((index) => !endAgain.has(index) && !isReopened(index));
}

function alsoRevived(state: State, named: readonly TaskIndex[], revival: Revival): readonly Clause[] {
  const these = new Set(named);
  const others = begunAnew(state, revival).filter((index) => !isInside(state.compiled, these, index));
  return others.length === 0 ? [] : [doing(`with it ${listed(others.map((index) => pathOf(state, index)))}`)];
}

const asks = (state: State, index: TaskIndex): boolean =>
  stepsIn(state, index).some(({ asking }) => asking !== undefined && state.questions.has(asking));

const rests = (state: State, index: TaskIndex): boolean =>
  stepsIn(state, index).some(({ ready }) => tokenAt(state, ready[0]).until > state.run.now);

const stepsIn = ({ compiled }: State, index: TaskIndex) =>
  compiled.tasks.flatMap((task) => (isInside(compiled, new Set([index]), task.index) ? task.steps : []));
