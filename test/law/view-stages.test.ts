import { describe, expect, test } from 'vitest';
import { apply } from '../../src/core/engine/apply/apply.ts';
import { taskNamed } from '../../src/core/engine/facts.ts';
import { startState } from '../../src/core/engine/state.ts';
import { taskSummaries } from '../../src/core/view/report/tasks.ts';
import { followProgress } from '../../src/core/view/run/progress.ts';
import { statusOf } from '../../src/core/view/run/run-status.ts';
import { stageOf } from '../../src/core/view/run/stage.ts';
import { ANY, habits, holds, PARALLEL, plan } from './engine-laws.given.ts';
import { play } from './engine-world.given.ts';
import type { Compiled } from '../../src/core/compile/compiled.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { State } from '../../src/core/engine/state.ts';
import type { TaskStatus } from '../../src/core/view/run/task-tree.ts';

const GIVEN = { inputs: {}, env: {} };

describe('the stage of a task', () => {
  test('is the same in the progress stream as in the state, before and after every event of the task', () => {
    const seen = new Set<string>();
    holds(400, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const { log } = play(compiled, habits(worldSeed, { meddleShare: 0.3, failureShare: 0.3 }));
      expectAlike(compiled, log, seen);
    });
    for (const type of ['join', 'gate', 'subplan', 'work']) expect(seen).toContain(`${type} done`);
    for (const stage of ['join asking', 'gate asking', 'work conflicted']) expect(seen).toContain(stage);
  });

  test('is the same in status and report, with its state and its reason, after every turn', () => {
    let compared = 0;
    holds(150, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const afterTurn = (state: State, { now }: { readonly now: number }): State => {
        compared += expectSameTasks(state, now);
        return state;
      };
      play(compiled, habits(worldSeed, { meddleShare: 0.2, failureShare: 0.3, afterTurn }));
    });
    expect(compared).toBeGreaterThan(10_000);
  });
});

function expectAlike(compiled: Compiled, log: readonly RunEvent[], seen: Set<string>): void {
  const state = startState(compiled, PARALLEL);
  const follow = followProgress('given-1', compiled);
  for (const event of log) {
    const isOfTask = 'task' in event && (!('step' in event) || event.step === undefined);
    const task = isOfTask ? taskNamed(compiled, event.task) : undefined;
    const before = task === undefined ? undefined : stageOf(state, task);
    const { from, to } = follow(event);
    apply(state, event);
    if (task === undefined) continue;
    const after = stageOf(state, task);
    expect([event.type, event, from, to]).toEqual([event.type, event, before, after]);
    seen.add(`${task.task.type} ${after}`);
  }
}

function expectSameTasks(state: State, now: number): number {
  const status = statusOf(state, { now, given: GIVEN });
  const rows = flat(status.tasks);
  const summaries = new Map(
    taskSummaries({ state, spans: [], nowMs: now - state.run.startedAt }).map((summary) => [summary.task, summary]),
  );
  for (const { task, stage, state: stands, reason, cause } of rows)
    expect(summaries.get(task)).toMatchObject({ task, stage, state: stands, reason, cause });
  for (const question of status.questions)
    expect(rows.find(({ task }) => task === question.task)?.stage).toMatch(/asking|conflicted|working/);
  return rows.length;
}

/** A report has no rows for subplans. */
const flat = (tasks: readonly TaskStatus[]): readonly TaskStatus[] =>
  tasks.flatMap((task) => (task.type === 'subplan' ? flat(task.children) : [task]));
