import { describe, expect, test } from 'vitest';
import type { Compiled } from '../../src/core/compile/compiled.ts';
import { MERGE_WINDOW } from '../../src/core/compile/resources.ts';
import { apply } from '../../src/core/engine/apply/apply.ts';
import { stepOn } from '../../src/core/engine/step/step.given.ts';
import { fold } from '../../src/core/engine/apply/fold.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { givenMergesIn } from '../../src/core/engine/run.given.ts';
import { snapshot, startState, type State } from '../../src/core/engine/state.ts';
import { markingOf } from '../../src/core/net/play.ts';
import { chance } from '../../src/core/schedule/chance.ts';
import { ANY, expectAllOver, habits, holds, PARALLEL, plan, refolded, shuffled } from './engine-laws.given.ts';
import { EVALUATOR, play, playOn, type Habits, type Heard } from './engine-world.given.ts';

/** A world with many failures and few commands of people. */
const troubled = (seed: number, more: Partial<Habits> = {}): Habits =>
  habits(seed, { failureShare: 0.4, meddleShare: 0.05, ...more });

const isMerged = ({ plan: { sandbox } }: Compiled): boolean => sandbox.tree !== 'none';

describe('work that is merged', () => {
  test('is done only after the merge queue has merged it, and only once', () => {
    let merged = 0;
    holds(500, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      if (!isMerged(compiled)) return;
      const done = new Set<string>();
      const afterTurn = (state: State, { outcome, events }: Heard): State => {
        for (const event of events) {
          if (event.type !== 'task.ended' || event.ending !== 'done' || typeOf(compiled, event.task) !== 'work')
            continue;
          expect(outcome).toMatchObject({ type: 'finished', work: 'merge', task: event.task });
          expect(done).not.toContain(event.task);
          done.add(event.task);
        }
        return state;
      };
      play(compiled, troubled(worldSeed, { afterTurn }));
      merged += done.size;
    });
    expect(merged).toBeGreaterThan(300);
  });

  test('goes to the merge queue in the order of claims, never more at once than its window', () => {
    let together = 0;
    holds(600, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const claimed: string[] = [];
      const afterTurn = (state: State, { events }: Heard): State => {
        for (const event of events) if (event.type === 'claim.made' && event.work === 'merge') claimed.push(event.task);
        const orders = givenMergesIn(state, { inputs: {}, env: {} }).map(({ task }) => task);
        expect(orders).toEqual(orders.toSorted((one, other) => claimed.lastIndexOf(one) - claimed.lastIndexOf(other)));
        expect(orders.length).toBeLessThanOrEqual(MERGE_WINDOW);
        if (orders.length > 1) together += 1;
        return state;
      };
      play(compiled, troubled(worldSeed, { afterTurn }));
    });
    expect(together).toBeGreaterThan(50);
  });

  test('goes to its agent for a conflict no more often than the plan allows', () => {
    const seen = { conflicts: 0, turns: 0, asked: 0, back: 0 };
    holds(2000, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const counts = new Map<string, number>();
      for (const event of play(compiled, troubled(worldSeed)).log) {
        if (event.type === 'claim.ended' && event.work === 'merge' && event.redo !== undefined) seen.back += 1;
        if (event.type === 'claim.made' && event.work === 'resolve') seen.turns += 1;
        if (event.type === 'task.reset' || event.type === 'task.rolledBack')
          for (const task of event.tasks) counts.delete(task);
        if (event.type !== 'claim.ended' && event.type !== 'claim.asked') continue;
        if (event.conflict === undefined) continue;
        seen.conflicts += 1;
        const asks = event.type === 'claim.asked';
        if (asks) seen.asked += 1;
        const before = counts.get(event.task) ?? 0;
        const { task, resolver } = compiled.tasks[indexOf(compiled, event.task)] ?? {};
        const attemptsMax = resolver === undefined ? 0 : (task?.settings.merge.conflictAttemptsMax ?? 0);
        expect(asks).toBe(before >= attemptsMax);
        counts.set(event.task, before + 1);
      }
    });
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(30);
  });
});

describe('a task that is rolled back', () => {
  test('has the marking of its own events before that step and of the events of other tasks', () => {
    let compared = 0;
    holds(500, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      if (!isMerged(compiled)) return;
      const { state, log } = play(compiled, troubled(worldSeed, { commands: ['cancel', 'skip'] }));
      compared += expectReachable(compiled, [...log, ...rollSomeBack(state, worldSeed)]);
    });
    expect(compared).toBeGreaterThan(100);
  });

  test('brings the run to an end again, and a crash changes nothing', () => {
    let rolled = 0;
    holds(500, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const order = shuffled(compiled, worldSeed);
      const { state, log } = play(compiled, troubled(worldSeed, { order }));
      const events = rollSomeBack(state, worldSeed);
      if (events.length === 0) return;
      rolled += 1;
      const longer = [...log, ...events];
      expect(snapshot(refolded(compiled, longer))).toEqual(snapshot(state));
      expectAllOver(playOn(state, longer, troubled(worldSeed + 1, { order })).state);
    });
    expect(rolled).toBeGreaterThan(100);
  });
});

/** Rolls failed tasks back to some step, where that is possible. */
function rollSomeBack(state: State, seed: number): readonly RunEvent[] {
  const random = chance(seed);
  return state.compiled.tasks.flatMap(({ task, steps }) => {
    const step = steps[random.below(steps.length)]?.step.id;
    if (step === undefined) return [];
    return stepOn(state, [{ type: 'rollback', task: task.path, step }], { evaluator: EVALUATOR, now: state.run.now });
  });
}

/** Compares the marking after every rollback with that of a log without the undone events. */
function expectReachable(compiled: Compiled, log: readonly RunEvent[]): number {
  const state = startState(compiled, PARALLEL);
  let lived: RunEvent[] = [];
  let compared = 0;
  for (const event of log) {
    if (event.type !== 'task.rolledBack') {
      lived.push(event);
      apply(state, event);
      continue;
    }
    const { round, back } = latestRound(lived, event);
    lived = lived.filter((earlier, at) => {
      if (!isOf(event, earlier)) return isKept(state, earlier, event);
      return at <= round || isHold(earlier) || (at < back && isBefore(compiled, event, earlier));
    });
    apply(state, event);
    expect(markingOf(fold(lived, compiled).play)).toEqual(markingOf(state.play));
    compared += 1;
  }
  return compared;
}

type RolledBack = Extract<RunEvent, { type: 'task.rolledBack' }>;

const isOf = ({ task }: RolledBack, event: RunEvent): event is Extract<RunEvent, { task: string }> =>
  'task' in event && event.task === task;

/** Where the latest round of the task's steps began, and where a check first sent it back. */
function latestRound(
  lived: readonly RunEvent[],
  rolled: RolledBack,
): { readonly round: number; readonly back: number } {
  const round = lived.findLastIndex(
    (event) => isOf(rolled, event) && (event.type === 'task.repeated' || event.type === 'task.opened'),
  );
  const back = lived.findIndex(
    (event, at) => at > round && isOf(rolled, event) && event.type === 'claim.ended' && event.redo !== undefined,
  );
  return { round, back: back < 0 ? Infinity : back };
}

const isHold = ({ type }: RunEvent): boolean => type === 'task.paused' || type === 'task.released';

/** Whether the event is of a step before the one that the task goes back to. */
function isBefore(compiled: Compiled, { task, to }: RolledBack, event: RunEvent): boolean {
  const { steps = [] } = compiled.tasks[indexOf(compiled, task)] ?? {};
  const at = (id: string): number => steps.findIndex(({ step }) => step.id === id);
  const isOnConflict = 'work' in event && event.work === 'resolve';
  return 'step' in event && event.step !== undefined && !isOnConflict && at(event.step) < at(to);
}

function isKept({ compiled, tasks }: State, event: RunEvent, { tasks: undone }: RolledBack): boolean {
  if (event.type === 'run.ended') return false;
  if (!('task' in event) || !undone.includes(event.task)) return true;
  if (isHold(event)) return true;
  const index = indexOf(compiled, event.task);
  return (
    typeOf(compiled, event.task) === 'subplan' && tasks[index]?.openedAt !== undefined && event.type === 'task.opened'
  );
}

const indexOf = (compiled: Compiled, task: string): number => compiled.indexOf.get(task) ?? -1;
const typeOf = (compiled: Compiled, task: string): string | undefined =>
  compiled.tasks[indexOf(compiled, task)]?.task.type;
